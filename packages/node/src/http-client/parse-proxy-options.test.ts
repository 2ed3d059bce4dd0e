import { describe, expect, test } from "vitest";
import { isNonProxyHost, LOOPBACK_HOSTS } from "./non-proxy-hosts.ts";
import { parseProxyOptions } from "./parse-proxy-options.ts";

const PROXY = "-Dhttps.proxyHost=proxy.example -Dhttps.proxyPort=3128";
const https = { host: "proxy.example", port: 3128 };

describe("the proxy of additionalJvmOptions", () => {
  test.each([
    ["host and port", PROXY, { https, nonProxyHosts: LOOPBACK_HOSTS }],
    ["no port: the JVM's own", "-Dhttps.proxyHost=p", { https: { host: "p", port: 443 } }],
    ["the last of two hosts", `${PROXY} -Dhttps.proxyHost=other`, { https: { ...https, host: "other" } }],
    ["plain http", "-Dhttp.proxyHost=p -Dhttp.proxyPort=8080", { http: { host: "p", port: 8080 } }],
    ["an IPv6 address", "-Dhttps.proxyHost=[fd00::1]", { https: { host: "fd00::1", port: 443 } }],
    ["line breaks between options", PROXY.replace(" ", "\n\t"), { https }],
  ])("is read: %s", (_, text, proxy) => {
    expect(parseProxyOptions(text)).toMatchObject({ proxy, ignored: [], errors: [] });
  });

  test.each([
    ["not set: loopback", "", LOOPBACK_HOSTS],
    ["by the JVM's name", "-Dhttp.nonProxyHosts=a|*.b", ["a", "*.b", ...LOOPBACK_HOSTS]],
    ["by the name of https", "-Dhttps.nonProxyHosts=a|*.b", ["a", "*.b", ...LOOPBACK_HOSTS]],
    ["by both", "-Dhttps.nonProxyHosts=a|b -Dhttp.nonProxyHosts=b|c", ["b", "c", "a", ...LOOPBACK_HOSTS]],
    ["in double quotes", '-Dhttp.nonProxyHosts="a|b c"', ["a", "b c", ...LOOPBACK_HOSTS]],
    ["as a whole in single quotes", "'-Dhttp.nonProxyHosts=a|b'", ["a", "b", ...LOOPBACK_HOSTS]],
    ["set to nothing: no host", "-Dhttp.nonProxyHosts=", []],
  ])("has hosts that are called directly: %s", (_, text, nonProxyHosts) => {
    expect(parseProxyOptions(`${PROXY} ${text}`).proxy).toEqual({ https, nonProxyHosts });
  });

  test("is none without a host, and other options are named without their values", () => {
    const text = "-Xms384M -XX:MaxRAMPercentage=80.0 -Djavax.net.ssl.trustStorePassword=hunter2 -ea";
    expect(parseProxyOptions(text)).toEqual({
      proxy: undefined,
      ignored: ["-Xms384M", "-XX:MaxRAMPercentage", "-Djavax.net.ssl.trustStorePassword", "-ea"],
      errors: [],
    });
    expect(parseProxyOptions(" \n")).toEqual({ proxy: undefined, ignored: [], errors: [] });
  });

  test.each([
    ["-Dhttps.proxyUser=hunter2", /https\.proxyUser.*credentials is not supported/],
    ["-Dhttps.proxyPassword=hunter2", /https\.proxyPassword.*credentials is not supported/],
    ["-Dhttp.proxyPassword='hunter2 2'", /http\.proxyPassword.*credentials is not supported/],
    ["-Djdk.http.auth.tunneling.disabledSchemes=hunter2", /jdk\.http\.auth\..*not supported/],
    ["-Dhttps.proxyHost=me:hunter2@proxy.example", /https\.proxyHost to a host with credentials/],
    ["-Dhttps.proxyHost=http://me:hunter2@proxy.example", /https\.proxyHost to a host with credentials/],
    ["-Dhttps.proxyHost=http://proxy.example", /https\.proxyHost.*without http:\/\//],
    ["-Dhttps.proxyHost=one,two", /https\.proxyHost to "one,two", which is neither/],
    ["-Dhttps.proxyHost=", /https\.proxyPort but no https\.proxyHost/],
    ["-Dhttp.proxyPort=80", /http\.proxyPort but no http\.proxyHost/],
    ["-Dhttps.proxyPort=0", /https\.proxyPort to "0": a port is a number from 1 to 65535/],
    ["-Dhttps.proxyPort=65536", /https\.proxyPort to "65536": a port is a number/],
    ["-Dhttps.proxyPort=3128x", /https\.proxyPort to "3128x": a port is a number/],
    ["-DsocksProxyHost=hunter2", /socksProxyHost, which is not supported/],
    ["-DproxyHost=hunter2", /proxyHost, which is not supported/],
    ['-Dhttp.nonProxyHosts="a', /quote that is not closed/],
  ])("is refused with one error, and no secret in it: %s", (text, error) => {
    const { proxy, errors } = parseProxyOptions(`${PROXY} ${text}`);
    expect([proxy, errors]).toEqual([undefined, [expect.stringMatching(error)]]);
    expect(errors.join()).not.toContain("hunter2");
  });

  test("is refused with all errors at once", () => {
    expect(
      parseProxyOptions("-Dhttps.proxyPort=x -Dhttp.proxyUser=u -Dhttp.proxyPort=1").errors,
    ).toHaveLength(3);
  });
});

test.each([
  ["scan.example", ["scan.example"], true],
  ["SCAN.example", ["scan.EXAMPLE"], true],
  ["a.scan.example", ["scan.example"], false],
  ["a.internal", ["*.internal"], true],
  ["internal", ["*.internal"], false],
  ["10.1.2.3", ["10.*"], true],
  ["110.1.2.3", ["10.*"], false],
  ["my-scan-1", ["*scan*"], true],
  ["anything", ["*"], true],
  ["axb", ["a.b"], false],
  ["localhost", LOOPBACK_HOSTS, true],
  ["127.0.0.1", LOOPBACK_HOSTS, true],
  ["[::1]", LOOPBACK_HOSTS, true],
  ["128.0.0.1", LOOPBACK_HOSTS, false],
  ["anything", [], false],
])("%s is called directly with %j: %s", (host, patterns, expected) => {
  expect(isNonProxyHost(host, patterns)).toBe(expected);
});
