import type { scanCoinActivities as operations } from "../../src/scan/coin-activities.ts";
import { alice, bob } from "./samples.ts";

const ZERO = "0.0000000000";
const place = {
  event_id: `#1220${"ab".repeat(32)}:3`,
  offset: "000000000000000003",
  date: "2026-01-31T12:00:00.000001Z",
  domain_id: `global-domain::1220${"ab".repeat(32)}`,
};
const nothing = { transfer: null, mint: null, tap: null, abort_transfer_instruction: null };
const tap = { ...nothing, ...place, round: 3, tap: { amulet_owner: alice, amulet_amount: "10.0000000000" } };

export const scanCoinActivities = {
  listActivity: {
    request: { body: { begin_after_id: null, page_size: 10 } },
    response: { activities: [{ activity_type: "devnet_tap" as const, ...tap }] },
  },
  listTransactionHistory: {
    request: { body: { page_end_event_id: place.event_id, sort_order: "desc" as const, page_size: 10 } },
    response: {
      transactions: [
        {
          ...{ transaction_type: "transfer" as const, ...nothing, ...place, round: 3 },
          transfer: {
            sender: {
              party: alice,
              input_amulet_amount: "10.0000000000",
              input_app_reward_amount: ZERO,
              input_validator_reward_amount: ZERO,
              input_sv_reward_amount: ZERO,
              input_validator_faucet_amount: ZERO,
              sender_change_fee: ZERO,
              sender_change_amount: "9.0000000000",
              sender_fee: ZERO,
              holding_fees: ZERO,
            },
            receivers: [{ party: bob, amount: "1.0000000000", receiver_fee: ZERO }],
            balance_changes: [],
            description: "rent",
            transferInstructionReceiver: null,
            transferInstructionAmount: null,
            transferInstructionCid: null,
            transfer_kind: "preapproval_send" as const,
          },
        },
      ],
    },
  },
} satisfies Record<keyof typeof operations, object>;
