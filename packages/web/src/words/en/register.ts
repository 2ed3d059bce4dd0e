import type { LabelProblem } from "../label-problem.ts";

export const enRegister = {
  title: "Get a name",
  lead: "A name stands for your party: people send to it and look it up, and nobody has to read a long id.",
  gate: {
    waiting: "Looking for your wallet…",
    title: "You have no wallet here yet",
    lead: (coin: string) =>
      `A wallet holds your ${coin} and your names. The server creates a party for you, on which your coin and names are kept.`,
    user: "It will belong to the user",
    create: "Create my wallet",
    creating: "Creating your wallet…",
    coming: "Your wallet is created. Waiting until the ledger shows it…",
  },
  choose: {
    title: "Choose a name",
    label: "Name",
    hint: "Lower-case letters a to z, digits, “-” and “_”.",
    problems: (problem: LabelProblem): string => {
      switch (problem.kind) {
        case "dot":
          return "A name has no dots before its ending. Leave the dot out, or write “-” instead.";
        case "capitals":
          return "A name has no capital letters. Write it in lower case.";
        case "character":
          return `A name cannot have the character “${problem.character}”. Leave it out.`;
        case "too-long":
          return `This name is too long: at most ${problem.longest} characters stand before its ending.`;
      }
    },
    url: "Web address (optional)",
    urlHint: "Everybody can see it with your name.",
    urlProblems: {
      scheme: "Start the address with https:// or http://",
      malformed: "This is no web address. Check it for spaces and typing errors.",
    },
    description: "Description (optional)",
    descriptionHint: (left: number) => `Everybody can see it with your name. ${left} characters are left.`,
    ask: "Get this name",
    asking: "Asking for the name…",
    nextStep: "You see the price once more and pay on the next page. Until then it costs nothing.",
  },
  verdict: {
    checking: (name: string) => `Checking whether ${name} is free…`,
    free: "This name is free",
    taken: "This name is taken",
    yours: "This name is yours already",
    invalid: "This name cannot be registered",
    owner: "It belongs to",
    until: "It is paid until",
    noPrice: "The price is not known at present, because no round is open. You see it before you pay.",
    lookAlikes: (count: number) =>
      count === 1
        ? "A name that looks almost the same exists"
        : `${count} names that look almost the same exist`,
    lookAlikesAdvice:
      "People may mistake one for the other. If none of them is yours, consider another name.",
  },
  request: {
    pageTitle: "Your request",
    pageLead: "This page can be left and come back to: the request is on the ledger.",
    changing: "The request has changed. Waiting for its new state…",
    title: "Confirm and pay",
    name: "Name",
    service: "For",
    price: "Price",
    each: (length: string) => `for each ${length}`,
    receiver: "Paid to",
    provider: "Offered by",
    since: "Asked for",
    firstPayment:
      "The first payment is made now. Later ones are made by themselves before the paid time ends, until you cancel.",
    unknown: "There is no such request",
    unknownAdvice:
      "None of your newest requests is this one. Perhaps another user made it, or it is very old.",
  },
  steps: {
    title: "Progress",
    label: "Steps of the request",
    waitingSince: "Waiting since",
    titles: {
      requested: "Request made",
      paid: "Payment accepted",
      collected: "Super validators collect it",
      live: "The name is live",
    },
    states: { done: "done", now: "under way", later: "not yet", failed: "failed" },
  },
  pay: {
    confirm: "Pay and confirm",
    paying: "Paying…",
    reject: "Reject",
    unknownPrice: "in a unit that this wallet does not know",
    unknownTitle: "The payment has not been answered yet",
    unknown:
      "It may have been made all the same. The page keeps looking and shows it as soon as the ledger does. Paying again is safe: it is paid once.",
    missingTitle: (missing: string) => `You need ${missing} more`,
    missing: (coin: string, available: string) => `The price is ${coin}, and ${available} are available.`,
    tapHint: "Coin is free on this network: take enough for this payment and the next ones, and it goes on.",
    tapAndPay: (usd: string) => `Take ${usd} of coin and pay`,
    tapping: "Taking coin…",
    receive: "Ask somebody to send coin to your party. The page notices when it arrives.",
  },
  outcome: {
    collectingTitle: "Paid. The super validators decide now",
    collecting: "They check that the name is still free and collect the payment.",
    slow: "This takes longer than usual: the network is slow. If nobody collects the payment before its round ends, the coin comes back by itself.",
    leave: "You need not wait here: the progress stays under My names.",
    registeredTitle: "The name is yours",
    registered: "is live. Everybody can find you by it.",
    toMyNames: "My names",
    toName: "Look at the name",
    failedTitle: "This did not lead to a name",
    refunded: (amount: string) => `${amount} came back to you`,
    nothingPaid: "Nothing was paid.",
    again: "Try again",
  },
  refunds: {
    lost_race: "Somebody else got the name first: their payment was collected before yours.",
    invalid_name: "The super validators do not accept this name.",
    invalid_url: "The super validators do not accept the web address.",
    invalid_description: "The super validators do not accept the description.",
    too_late: "The payment came too late: its round had closed.",
    not_collected: "Nobody collected the payment before its lock ran out.",
  },
  ends: {
    expired: "Nobody collected the payment before its lock ran out.",
    rejected: "You rejected the request.",
    withdrawn: "The request expired: it was not paid in time.",
    refused:
      "The super validators could not accept it: the name was about to expire, or the terms had changed.",
    givenBack: "The super validators gave the payment back.",
  },
  open: {
    title: "Requests that are not complete",
    lead: "You began these. Pay them to get the name, or reject them.",
    state: "State",
    actions: "Actions",
    pay: "Pay",
    watch: "See progress",
    states: {
      waiting: "Waits for your payment",
      paid: "Paid, being collected",
      requested: "Being decided",
    },
  },
  ended: {
    title: "Requests that came to nothing",
    when: "Ended",
    refund: "Came back",
    why: "Why",
    nothing: "Nothing was paid",
    details: "See why",
  },
  mine: {
    title: "My names",
    lead: "Until when each name is yours, what is paid next, and what you can change.",
    waiting: "Reading your names…",
    none: "You have no name yet",
    noneAdvice: "It takes a minute to get one.",
    another: "Get another name",
    primary: "You are called by it",
    states: { subscribed: "Active", paying: "Renewal is being paid", cancelled: "Cancelled" },
    url: "Web address",
    description: "Description",
    expires: "Paid until",
    ends: "Ends",
    nextPayment: "Next payment",
    paymentBetween: (price: string, from: string, to: string) => `${price}, between ${from} and ${to}`,
    payingNow: "A renewal is on its way. The super validators collect it.",
    autoRenewalOf: (name: string) => `Renew ${name} automatically`,
    autoRenewalOn: "Renews by itself",
    autoRenewalOff: "Does not renew by itself: pay by hand in time",
    shortTitle: "There is too little coin for the renewal",
    short: (coin: string, available: string) =>
      `The next payment takes ${coin}, and ${available} are available. Without it the name ends.`,
    toWallet: "Go to the wallet",
    payNow: "Pay the renewal now",
    takeUp: "Take up again",
    takingUp: "The super validators decide…",
    setPrimary: "Be called by this name",
    removePrimary: "No longer be called by it",
    cancel: "Cancel",
    cancelTitle: (name: string) => `Cancel ${name}?`,
    cancelLead: (end: string) => `The name stays yours until ${end}. Then it ends, and anybody can get it.`,
    cancelPoints: [
      "Nothing more is paid for it.",
      "What is paid already does not come back.",
      "Until it ends you can take it up again, for nothing.",
    ],
    cancelConfirm: "Cancel the name",
  },
};
