import { expect, test } from "vitest";
import { showText } from "./show-text.ts";

// Worked out from the report of the Haskell language, section 6.3.4 and 2.6, whose `show` Daml took over.
const rendered: readonly (readonly [string, string])[] = [
  ["", '""'],
  ["alice.unverified.cns", '"alice.unverified.cns"'],
  [" !#$%&'()*+,-./09:;<=>?@AZ[]^_`az{|}~", '" !#$%&\'()*+,-./09:;<=>?@AZ[]^_`az{|}~"'],
  ['say "hi"', '"say \\"hi\\""'],
  ["back\\slash", '"back\\\\slash"'],
  ["\u0007\b\t\n\u000b\f\r", '"\\a\\b\\t\\n\\v\\f\\r"'],
  ["\u0001\u0002\u0003\u0004\u0005\u0006", '"\\SOH\\STX\\ETX\\EOT\\ENQ\\ACK"'],
  ["\u000f\u0010\u0011\u0012\u0013\u0014", '"\\SI\\DLE\\DC1\\DC2\\DC3\\DC4"'],
  ["\u0015\u0016\u0017\u0018\u0019\u001a", '"\\NAK\\SYN\\ETB\\CAN\\EM\\SUB"'],
  ["\u001b\u001c\u001d\u001e\u001f", '"\\ESC\\FS\\GS\\RS\\US"'],
  ["\u0000", '"\\NUL"'],
  ["\u007f", '"\\DEL"'],
  ["é", '"\\233"'],
  ["\u0080", '"\\128"'],
  ["€uro", '"\\8364uro"'],
  ["😀", '"\\128512"'],
  // A digit behind a decimal escape would read as part of it.
  ["é1", '"\\233\\&1"'],
  ["é9", '"\\233\\&9"'],
  ["é0é5", '"\\233\\&0\\233\\&5"'],
  ["éa1", '"\\233a1"'],
  ["éé", '"\\233\\233"'],
  ["é\n1", '"\\233\\n1"'],
  ["é/", '"\\233/"'],
  ["é:", '"\\233:"'],
  ["\u007f1", '"\\DEL1"'],
  // `\SO` with an `H` behind it would read as `\SOH`.
  ["\u000eH", '"\\SO\\&H"'],
  ["\u000eh", '"\\SOh"'],
  ["\u000eI", '"\\SOI"'],
  ["\u000e", '"\\SO"'],
  ["\u000e1", '"\\SO1"'],
  ["éH", '"\\233H"'],
];

test.each(rendered)("%j is shown as %s", (text, shown) => {
  expect(showText(text)).toBe(shown);
});
