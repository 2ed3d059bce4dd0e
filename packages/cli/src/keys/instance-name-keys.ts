/** `spliceInstanceNames`: the names that applications show for the network, its coin and its name service. */
import { type KeyOptions, type KeyTable, key, under } from "./key.ts";
import { type KeyType, URL_TEXT } from "./key-type.ts";

const SHOWN_NAME: KeyType = {
  kind: "text",
  pattern: /^[a-zA-Z0-9-_ ]+$/,
  form: "letters, digits, -, _ and blanks",
  max: 100,
};
const ACRONYM: KeyType = { kind: "text", pattern: /^[a-zA-Z0-9]+$/, form: "letters and digits", max: 20 };

type NameOptions = Readonly<Record<string, KeyOptions>>;

/** The options of a role for some of the names. */
export function instanceNameKeys(options: NameOptions): KeyTable {
  return under("spliceInstanceNames", [
    key("networkName", SHOWN_NAME, "the network's name", options["networkName"]),
    key("networkFaviconUrl", URL_TEXT, "its icon", options["networkFaviconUrl"]),
    key("amuletName", SHOWN_NAME, "the coin's name", options["amuletName"]),
    key("amuletNameAcronym", ACRONYM, "its acronym", options["amuletNameAcronym"]),
    key("nameServiceName", SHOWN_NAME, "the name service's name", options["nameServiceName"]),
    key(
      "nameServiceNameAcronym",
      ACRONYM,
      "its acronym, in lower case the end of every name",
      options["nameServiceNameAcronym"],
    ),
  ]);
}
