/** Choices by which coin is transferred, tapped or minted, or a transfer ends without one. */
export const ACTIVITY_CHOICES: ReadonlySet<string> = new Set([
  "AmuletRules_Transfer",
  "AmuletRules_DevNet_Tap",
  "AmuletRules_Mint",
  "TransferPreapproval_SendV2",
  "TransferFactory_Transfer",
  "TransferInstruction_Accept",
  "TransferInstruction_Withdraw",
  "TransferInstruction_Reject",
  "AllocationFactory_Allocate",
  "Allocation_ExecuteTransfer",
]);
