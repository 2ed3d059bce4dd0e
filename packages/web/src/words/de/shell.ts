import type { enShell } from "../en/shell.ts";

export const deShell: typeof enShell = {
  product: "Callsign",
  skip: "Zum Inhalt springen",
  menu: "Menü",
  navigation: "Hauptbereich",
  loading: "Lädt…",
  retry: "Erneut versuchen",
  copied: "Kopiert",
  copyFailed: "Ihr Browser hat das Kopieren nicht erlaubt",
  copy: "Kopieren",
  copyName: "Namen kopieren",
  copyParty: "Party-ID kopieren",
  copyLink: "Link kopieren",
  more: "Mehr anzeigen",
  cancel: "Abbrechen",
  close: "Schließen",
  back: "Zurück",
  language: "Sprache",
  languageNames: { en: "English", de: "Deutsch" },
  theme: "Darstellung",
  themes: { system: "System", light: "Hell", dark: "Dunkel" },
  logIn: "Anmelden",
  logOut: "Abmelden",
  loggedInAs: (user) => `Angemeldet als ${user}`,
  login: {
    title: "Bitte melden Sie sich an",
    lead: "Diese Seite zeigt, was Ihnen gehört.",
    localLead:
      "Diese Seite zeigt, was Ihnen gehört. In diesem lokalen Netzwerk wählen Sie einen Benutzer: Ein Passwort gibt es nicht.",
    under: "Die Anmeldung wird abgeschlossen…",
    leaving: "Die Anmeldeseite wird geöffnet…",
    again: "Sie werden wieder angemeldet…",
    ended: "Ihre Sitzung ist abgelaufen. Melden Sie sich an, um fortzufahren, wo Sie waren.",
    left: "Sie sind abgemeldet.",
    failed: "Die Anmeldung hat nicht geklappt.",
    failedAdvice:
      "Es wurde nichts verändert. Versuchen Sie es erneut; bleibt der Fehler, hilft der Betreiber dieses Servers.",
    unavailable: "Hier kann man sich nicht anmelden",
    unavailableAdvice:
      "Der Betreiber dieses Servers hat keine Anmeldung eingerichtet. Öffentliche Seiten gehen ohne.",
  },
  notFound: {
    title: "Diese Seite gibt es nicht",
    lead: "Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist umgezogen.",
    home: "Zur ersten Seite",
  },
  notHere: {
    title: "Diese Seite gibt es hier nicht",
    lead: "Der Server hinter dieser Adresse hat nicht, was die Seite braucht. Ein anderer Host des Netzwerks vielleicht schon.",
  },
  crash: {
    title: "Auf dieser Seite ging etwas schief",
    lead: "Das ist unser Fehler. Laden Sie die Seite neu; was Sie abgeschickt haben, geht dabei nicht verloren.",
    reload: "Neu laden",
  },
  start: {
    failed: "Die Seite erreicht ihren Server nicht",
    advice: "Prüfen Sie, ob der Server läuft und Sie online sind, und versuchen Sie es erneut.",
  },
  errors: {
    unexpected: {
      title: "Etwas Unerwartetes ist passiert",
      advice: "Versuchen Sie es erneut. Bleibt der Fehler, hilft der Betreiber dieses Servers.",
    },
    unreachable: {
      title: "Der Server ist nicht erreichbar",
      advice: "Prüfen Sie, ob Sie online sind und der Server läuft, und versuchen Sie es erneut.",
    },
    tooSlow: {
      title: "Der Server hat zu lange gebraucht",
      advice:
        "Er ist vielleicht ausgelastet. Sehen Sie nach, ob Ihre Änderung gilt, bevor Sie sie wiederholen.",
    },
    loggedOut: {
      title: "Sie sind nicht mehr angemeldet",
      advice: "Melden Sie sich erneut an, um fortzufahren.",
    },
    forbidden: {
      title: "Das dürfen Sie nicht",
      advice: "Ihrem Benutzer fehlt das Recht. Der Betreiber dieses Servers kann es erteilen.",
    },
    notFound: {
      title: "Nicht gefunden",
      advice: "Es wurde vielleicht inzwischen verbraucht, zurückgezogen oder ist abgelaufen.",
    },
    tooMany: {
      title: "Zu viele Anfragen",
      advice: "Warten Sie ein paar Sekunden und versuchen Sie es erneut.",
    },
    unavailable: {
      title: "Der Dienst ist gerade nicht verfügbar",
      advice: "Warten Sie einen Moment und versuchen Sie es erneut.",
    },
    refused: {
      title: "Der Server hat das abgelehnt",
      advice: "Berichtigen Sie, was er nennt, und versuchen Sie es erneut.",
    },
  },
  sections: {
    names: "Namen",
    register: "Namen holen",
    myNames: "Meine Namen",
    wallet: "Wallet",
    network: "Netzwerk",
    operator: "Betrieb",
    developer: "Entwicklung",
  },
  footer: "Namen für die Parteien des Netzwerks.",
};
