// Operators decide: votes of SVs, the price of the coin, secrets and licences of validators, users without the right.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { findBarriers, findKeyboardGaps, overflowOf } from "./support/inspect.ts";
import { PHONE } from "./support/pages.ts";
import type { Visitor } from "./support/visitor.ts";
import { WebSite } from "./support/web-site.ts";

const site = WebSite.start();

async function visitAsOperator(path: string, look: object = {}): Promise<Visitor> {
  const visitor = await site.meet(look);
  await visitor.goTo(site.address("/operator/sv", "sv", "sv"));
  await site.logIn(visitor, "ledger-api-user");
  await visitor.moveTo(path);
  return visitor;
}

const panelOf = (page: Page, title: string) =>
  page.locator("section.panel", { has: page.getByRole("heading", { name: title, exact: true }) });

/** The open request as the ledger has it. */
async function readOpenRequest(): Promise<Readonly<Record<string, unknown>>> {
  const [open] = (await site.network.sv(1).listDsoRulesVoteRequests()).dso_rules_vote_requests;
  return open?.payload ?? {};
}

/** The other SVs, at their own applications. */
async function voteAs(svs: readonly number[], isAccepted: boolean): Promise<void> {
  for (const number of svs) {
    const sv = site.network.sv(number);
    const [open] = (await sv.listDsoRulesVoteRequests()).dso_rules_vote_requests;
    await sv.castVote({
      body: {
        vote_request_contract_id: open?.contract_id ?? "",
        is_accepted: isAccepted,
        ...{ reason_url: "", reason_description: "" },
      },
    });
  }
  await site.network.settle();
}

test("SVs change a rule: the change is shown before it is sent, voted on, and holds", async () => {
  const visitor = await visitAsOperator("/operator/sv/votes");
  const { page } = visitor;
  const ask = page.locator("#ask-for-vote");
  const open = panelOf(page, "Open votes");
  await page.locator("#vote-setting").selectOption("trafficPrice");
  for (const wrong of ["a lot", "-1", "0.12345678901"]) {
    await page.locator("#vote-value").fill(wrong);
    await page.getByText("Write dollars such as 0.005").waitFor();
    expect(await ask.isDisabled()).toBe(true);
  }
  await page.locator("#vote-value").fill("21.5");
  await page.locator("#vote-setting").selectOption("tick");
  await page.locator("#vote-value").fill("12m");
  const changes = page.locator("form tbody tr");
  expect(await changes.allTextContents()).toEqual([
    expect.stringMatching(/^Price of a megabyte of traffic.*\$16\.67→ \$21\.50$/),
    expect.stringMatching(/^Length of a round's tick.*10 minutes→ 12 minutes$/),
  ]);
  await page.locator("#vote-reason").fill("Traffic costs <b>more</b>");
  await page.locator("#vote-url").fill("https://example.com/traffic");
  await page.locator("#vote-time").selectOption("24");
  await ask.click();
  await page.getByText("The request is on the ledger").waitFor();
  await open.getByRole("link", { name: "https://example.com/traffic" }).waitFor();
  const { voteBefore } = await readOpenRequest();
  const hoursLeft = (Date.parse(String(voteBefore)) - Number(site.network.net.now() / 1000n)) / 3_600_000;
  expect(Math.round(hoursLeft)).toBe(24);
  expect(await open.locator("tbody tr").count()).toBe(2);
  await open.getByText("Traffic costs <b>more</b>").waitFor();
  await open.getByText("1 for, 0 against; 3 decide").waitFor();
  await voteAs([2, 3], true);
  await page.reload();
  await visitor.settled();
  await panelOf(page, "Closed votes").getByText("Accepted", { exact: true }).last().waitFor();
  await open.getByText("Nothing is being voted on").waitFor();
  await visitor.moveTo("/network");
  await panelOf(page, "Fees").getByText("$21.50").waitFor();
});

test("an SV changes its vote: too early it is told when it may, then it counts", async () => {
  const visitor = await visitAsOperator("/operator/sv/votes");
  const { page } = visitor;
  const open = panelOf(page, "Open votes");
  await page.locator("#vote-kind").selectOption("SRARC_OffboardSv");
  await page.locator("#vote-sv").selectOption({ index: 4 });
  await page.locator("#ask-for-vote").click();
  await open.getByText("Your SV has voted for it. The vote can be changed from").waitFor();
  visitor.allow(/status of 400 .*\/sv\/votes/);
  await open.getByRole("button", { name: "Vote against it" }).click();
  const refusal = open.getByRole("alert");
  await refusal.getByText("Your SV may vote again on this from").waitFor();
  await refusal.getByText(/in \d+ seconds/).waitFor();
  expect(await refusal.textContent()).not.toContain("DAML_FAILURE");
  await site.network.forward(0, 61_000_000n);
  await open.getByLabel("Reason of your vote").fill("They are needed");
  await open.getByRole("button", { name: "Vote against it" }).click();
  await open.getByText("0 for, 1 against; 3 decide").waitFor();
  expect(JSON.stringify((await readOpenRequest())["votes"])).toContain("They are needed");
  await voteAs([2, 3], false);
  await page.reload();
  await visitor.settled();
  await panelOf(page, "Closed votes").getByText("Rejected", { exact: true }).waitFor();
});

test("an SV votes on the price of the coin, and learns when it may again", async () => {
  const visitor = await visitAsOperator("/operator/sv/price");
  const { page } = visitor;
  await page.locator("#price-vote").fill("zero");
  await page.getByText("Write a number such as 0.005.").waitFor();
  await page.locator("#price-vote").fill("0.75");
  await page.getByRole("button", { name: "Vote for this price" }).click();
  await panelOf(page, "Votes of all SVs").getByText("$0.75").waitFor();
  visitor.allow(/status of 400 .*amulet-price\/vote/);
  await page.locator("#price-vote").fill("0.8");
  await page.getByRole("button", { name: "Vote for this price" }).click();
  await page.getByRole("alert").getByText("Your SV may vote again on this from").waitFor();
});

test("an application is featured by the SVs, and no more", async () => {
  const provider = await site.network.party("app-provider");
  const visitor = await visitAsOperator("/operator/sv/votes");
  const { page } = visitor;
  await page.locator("#vote-kind").selectOption("SRARC_GrantFeaturedAppRight");
  await page.locator("#vote-provider").fill("app-provider");
  await page.getByText("Write a whole party id").waitFor();
  await page.locator("#vote-provider").fill(provider);
  await page.locator("#ask-for-vote").click();
  await page.getByText("The request is on the ledger").waitFor();
  await voteAs([2, 3], true);
  await page.locator("#vote-kind").selectOption("SRARC_RevokeFeaturedAppRight");
  await page.locator("select#vote-right").selectOption({ index: 1 });
  await page.locator("#ask-for-vote").click();
  await panelOf(page, "Open votes").getByText("SRARC_RevokeFeaturedAppRight").waitFor();
  await voteAs([2, 3], true);
  expect((await site.network.scan().listFeaturedAppRights()).featured_apps).toEqual([]);
});

test("secrets have their life, and licences show who came in", async () => {
  const visitor = await visitAsOperator("/operator/sv/validators");
  const { page } = visitor;
  await page.locator("#secret-lifetime").selectOption("1");
  await page.locator("#make-secret").click();
  await page.locator("#new-secret").waitFor();
  const unused = panelOf(page, "Unused secrets");
  expect(await unused.locator("tbody tr").count()).toBe(1);
  await site.network.forward(0, 3_700_000_000n);
  await site.network.settle();
  await page.reload();
  await visitor.settled();
  await unused.getByText("There is no unused secret").waitFor();
  await page.locator("#secret-state").selectOption("expired");
  await panelOf(page, "What became of the secrets").locator(".badge", { hasText: "Expired" }).waitFor();
  // No scan is asked on this page, whose answers would tell the time as well.
  await page.locator("#secret-lifetime").selectOption("1");
  await page.locator("#make-secret").click();
  await unused.getByText(/in (59 minutes|1 hour)/).waitFor();
  const licences = panelOf(page, "Licensed validators").locator("tbody tr");
  expect(await licences.count()).toBe(3);
});

test("a user without the right is told which one is missing and who has it, on every operator page", async () => {
  const visitor = await site.visitAs("app-user", "/wallet");
  visitor.allow(/status of 403 .*\/admin\//);
  const { page } = visitor;
  for (const path of ["", "/users", "/automations"]) {
    await visitor.moveTo(`/operator/validator${path}`);
    await page.getByText("The user app-user lacks the right to operate this validator.").waitFor();
    await page.getByText("The user ledger-api-user has it.").waitFor();
  }
  await page.locator("#login-as-operator").click();
  await page.getByRole("button", { name: "ledger-api-user", exact: true }).click();
  await page.getByRole("article", { name: "report-activity" }).waitFor();
  await site.network.ledger("sv").createUser({ body: { user: { id: "stranger" }, rights: [] } });
  const other = await site.meet();
  await other.goTo(site.address("/operator/sv", "sv", "sv"));
  other.allow(/status of 403 .*\/admin\//);
  await site.logIn(other, "stranger");
  for (const path of ["", "/validators", "/votes", "/price", "/automations"]) {
    await other.moveTo(`/operator/sv${path}`);
    await other.page.getByText("The user stranger lacks the right to operate this SV.").waitFor();
    expect(await other.page.locator(".waiting").count()).toBe(0);
  }
});

test("the operator's pages have no barrier, fit a phone, and Tab reaches every control", async () => {
  const visitor = await visitAsOperator("/operator/sv", { colorScheme: "dark", viewport: PHONE });
  for (const path of [
    "/sv",
    "/sv/validators",
    "/sv/votes",
    "/sv/price",
    "/sv/automations",
    "/validator/users",
  ]) {
    await visitor.moveTo(`/operator${path}`);
    const { page } = visitor;
    // Tab has scrolled the page before.
    await page.evaluate("scrollTo(0, 0)");
    const found = [await findBarriers(page), await overflowOf(page), await findKeyboardGaps(page)];
    expect.soft([path, ...found]).toEqual([path, [], 0, []]);
  }
});
