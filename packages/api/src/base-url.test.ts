import { expect, test } from "vitest";
import { findBaseUrlFault } from "./base-url.ts";

test.each([
  [
    "https://user:hunter2@scan.example.com",
    '"https://…@scan.example.com" has more than a host, a port and a path',
  ],
  ["ftp://hunter2@files.example.com", '"ftp://…@files.example.com" is no http or https URL'],
  [
    "https://scan.example.com/?key=1",
    '"https://scan.example.com/?key=1" has more than a host, a port and a path',
  ],
])("the fault of %s shows the URL without its user and password", (url, fault) => {
  expect(findBaseUrlFault(url)).toContain(fault);
});

test.each(["https://scan.example.com", "http://127.0.0.1:5012/api/scan/"])("%s can be used", (url) => {
  expect(findBaseUrlFault(url)).toBeNull();
});
