import type { enRegister } from "../en/register.ts";

export const deRegister: typeof enRegister = {
  title: "Namen holen",
  lead: "Ein Name steht für Ihre Party: Man sendet an ihn und schlägt ihn nach, und niemand muss eine lange ID lesen.",
  gate: {
    waiting: "Ihre Wallet wird gesucht…",
    title: "Sie haben hier noch keine Wallet",
    lead: (coin) =>
      `Eine Wallet verwahrt Ihre ${coin} und Ihre Namen. Der Server legt für Sie eine Party an, bei der sie liegen.`,
    user: "Sie wird diesem Benutzer gehören:",
    create: "Meine Wallet anlegen",
    creating: "Ihre Wallet wird angelegt…",
    coming: "Ihre Wallet ist angelegt. Gleich zeigt sie auch das Ledger…",
  },
  choose: {
    title: "Einen Namen wählen",
    label: "Name",
    hint: "Kleinbuchstaben a bis z, Ziffern, „-“ und „_“.",
    problems: (problem) => {
      switch (problem.kind) {
        case "dot":
          return "Vor der Endung steht kein Punkt. Lassen Sie ihn weg, oder schreiben Sie „-“.";
        case "capitals":
          return "Namen haben keine Großbuchstaben. Schreiben Sie ihn klein.";
        case "character":
          return `Das Zeichen „${problem.character}“ ist in Namen nicht erlaubt. Lassen Sie es weg.`;
        case "too-long":
          return `Dieser Name ist zu lang: Vor der Endung stehen höchstens ${problem.longest} Zeichen.`;
      }
    },
    url: "Webadresse (freiwillig)",
    urlHint: "Alle sehen sie bei Ihrem Namen.",
    urlProblems: {
      scheme: "Beginnen Sie die Adresse mit https:// oder http://",
      malformed: "Das ist keine Webadresse. Prüfen Sie sie auf Leerzeichen und Tippfehler.",
    },
    description: "Beschreibung (freiwillig)",
    descriptionHint: (left) => `Alle sehen sie bei Ihrem Namen. Noch ${left} Zeichen.`,
    ask: "Diesen Namen holen",
    asking: "Der Name wird angefragt…",
    nextStep:
      "Auf der nächsten Seite sehen Sie den Preis noch einmal und zahlen. Bis dahin kostet es nichts.",
  },
  verdict: {
    checking: (name) => `Ist ${name} frei? Wird geprüft…`,
    free: "Dieser Name ist frei",
    taken: "Dieser Name ist vergeben",
    yours: "Dieser Name gehört Ihnen schon",
    invalid: "Diesen Namen kann man nicht registrieren",
    owner: "Er gehört",
    until: "Er ist bezahlt bis",
    noPrice: "Der Preis ist gerade nicht bekannt, weil keine Runde offen ist. Sie sehen ihn vor dem Zahlen.",
    lookAlikes: (count) =>
      count === 1 ? "Es gibt einen sehr ähnlichen Namen" : `Es gibt ${count} sehr ähnliche Namen`,
    lookAlikesAdvice: "Man kann sie verwechseln. Gehört keiner davon Ihnen, wählen Sie besser einen anderen.",
  },
  request: {
    pageTitle: "Ihre Anfrage",
    pageLead: "Sie können diese Seite verlassen und wiederkommen: Die Anfrage steht im Ledger.",
    changing: "Die Anfrage hat sich geändert. Gleich steht hier ihr neuer Stand…",
    title: "Bestätigen und zahlen",
    name: "Name",
    service: "Für",
    price: "Preis",
    each: (length) => `für jeweils ${length}`,
    receiver: "Geht an",
    provider: "Angeboten von",
    since: "Angefragt",
    firstPayment:
      "Die erste Zahlung erfolgt jetzt. Spätere erfolgen von selbst vor Ablauf der bezahlten Zeit, bis Sie kündigen.",
    unknown: "Diese Anfrage gibt es nicht",
    unknownAdvice:
      "Sie ist nicht unter Ihren neuesten Anfragen. Vielleicht ist sie von jemand anderem oder sehr alt.",
  },
  steps: {
    title: "Fortschritt",
    label: "Schritte der Anfrage",
    waitingSince: "Wartet seit",
    titles: {
      requested: "Anfrage gestellt",
      paid: "Zahlung angenommen",
      collected: "Super-Validatoren ziehen sie ein",
      live: "Der Name ist aktiv",
    },
    states: { done: "erledigt", now: "läuft", later: "noch nicht", failed: "gescheitert" },
  },
  pay: {
    confirm: "Zahlen und bestätigen",
    paying: "Wird bezahlt…",
    reject: "Ablehnen",
    unknownPrice: "in einer Einheit, die diese Wallet nicht kennt",
    unknownTitle: "Die Zahlung ist noch nicht beantwortet",
    unknown:
      "Sie kann trotzdem erfolgt sein. Die Seite sieht weiter nach und zeigt sie, sobald das Ledger es tut. Noch einmal zu zahlen ist sicher: Es wird einmal bezahlt.",
    missingTitle: (missing) => `Ihnen fehlen ${missing}`,
    missing: (coin, available) => `Der Preis ist ${coin}, verfügbar sind ${available}.`,
    tapHint:
      "In diesem Netzwerk gibt es Münzen umsonst: Holen Sie genug für diese und die nächsten Zahlungen, dann geht es weiter.",
    tapAndPay: (usd) => `Münzen für ${usd} holen und zahlen`,
    tapping: "Münzen werden geholt…",
    receive: "Bitten Sie jemanden, Münzen an Ihre Party zu senden. Die Seite merkt, wenn sie ankommen.",
  },
  outcome: {
    collectingTitle: "Bezahlt. Jetzt entscheiden die Super-Validatoren",
    collecting: "Sie prüfen, ob der Name noch frei ist, und ziehen die Zahlung ein.",
    slow: "Das dauert länger als sonst: Das Netzwerk ist langsam. Zieht niemand die Zahlung vor dem Ende ihrer Runde ein, kommen die Münzen von selbst zurück.",
    leave: "Sie müssen hier nicht warten: Der Fortschritt steht unter „Meine Namen“.",
    registeredTitle: "Der Name gehört Ihnen",
    registered: "ist aktiv. Alle finden Sie darunter.",
    toMyNames: "Meine Namen",
    toName: "Den Namen ansehen",
    failedTitle: "Daraus wurde kein Name",
    refunded: (amount) => `${amount} kamen zu Ihnen zurück`,
    nothingPaid: "Es wurde nichts bezahlt.",
    again: "Erneut versuchen",
  },
  refunds: {
    lost_race: "Jemand anderes war schneller: Die andere Zahlung wurde vor Ihrer eingezogen.",
    invalid_name: "Die Super-Validatoren nehmen diesen Namen nicht an.",
    invalid_url: "Die Super-Validatoren nehmen die Webadresse nicht an.",
    invalid_description: "Die Super-Validatoren nehmen die Beschreibung nicht an.",
    too_late: "Die Zahlung kam zu spät: Ihre Runde war schon geschlossen.",
    not_collected: "Niemand zog die Zahlung ein, bevor ihre Sperre endete.",
  },
  ends: {
    expired: "Niemand zog die Zahlung ein, bevor ihre Sperre endete.",
    rejected: "Sie haben die Anfrage abgelehnt.",
    withdrawn: "Die Anfrage ist abgelaufen: Sie wurde nicht rechtzeitig bezahlt.",
    refused:
      "Die Super-Validatoren konnten sie nicht annehmen: Der Name lief gleich ab, oder die Bedingungen hatten sich geändert.",
    givenBack: "Die Super-Validatoren gaben die Zahlung zurück.",
  },
  open: {
    title: "Anfragen, die nicht abgeschlossen sind",
    lead: "Sie haben sie begonnen. Zahlen Sie, um den Namen zu bekommen, oder lehnen Sie sie ab.",
    state: "Stand",
    actions: "Aktionen",
    pay: "Zahlen",
    watch: "Fortschritt ansehen",
    states: {
      waiting: "Wartet auf Ihre Zahlung",
      paid: "Bezahlt, wird eingezogen",
      requested: "Wird entschieden",
    },
  },
  ended: {
    title: "Anfragen, aus denen nichts wurde",
    when: "Beendet",
    refund: "Zurückgekommen",
    why: "Warum",
    nothing: "Nichts bezahlt",
    details: "Warum?",
  },
  mine: {
    title: "Meine Namen",
    lead: "Bis wann jeder Name Ihnen gehört, was als Nächstes bezahlt wird und was Sie ändern können.",
    waiting: "Ihre Namen werden gelesen…",
    none: "Sie haben noch keinen Namen",
    noneAdvice: "In einer Minute haben Sie einen.",
    another: "Noch einen Namen holen",
    primary: "So heißen Sie",
    states: { subscribed: "Aktiv", paying: "Verlängerung wird bezahlt", cancelled: "Gekündigt" },
    url: "Webadresse",
    description: "Beschreibung",
    expires: "Bezahlt bis",
    ends: "Endet",
    nextPayment: "Nächste Zahlung",
    paymentBetween: (price, from, to) => `${price}, zwischen ${from} und ${to}`,
    payingNow: "Eine Verlängerung ist unterwegs. Die Super-Validatoren ziehen sie ein.",
    autoRenewalOf: (name) => `${name} von selbst verlängern`,
    autoRenewalOn: "Verlängert sich von selbst",
    autoRenewalOff: "Verlängert sich nicht von selbst: Zahlen Sie rechtzeitig von Hand",
    shortTitle: "Für die Verlängerung fehlen Münzen",
    short: (coin, available) =>
      `Die nächste Zahlung kostet ${coin}, verfügbar sind ${available}. Ohne sie endet der Name.`,
    toWallet: "Zur Wallet",
    payNow: "Verlängerung jetzt bezahlen",
    takeUp: "Wieder aufnehmen",
    takingUp: "Die Super-Validatoren entscheiden…",
    setPrimary: "So heißen",
    removePrimary: "Nicht mehr so heißen",
    cancel: "Kündigen",
    cancelTitle: (name) => `${name} kündigen?`,
    cancelLead: (end) => `Der Name gehört Ihnen bis ${end}. Dann endet er, und jeder kann ihn holen.`,
    cancelPoints: [
      "Es wird nichts mehr für ihn bezahlt.",
      "Schon Bezahltes kommt nicht zurück.",
      "Bis er endet, können Sie ihn umsonst wieder aufnehmen.",
    ],
    cancelConfirm: "Den Namen kündigen",
  },
};
