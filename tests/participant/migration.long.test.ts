/** A participant is carried over to the next migration of its network: with PostgreSQL, and killed in the middle. */
import { describe } from "vitest";
import { describeKills, describeMigration } from "./migration-cases.ts";

describe("PostgreSQL", () => describeMigration("PostgreSQL"));
describe("PostgreSQL, killed", () => describeKills("PostgreSQL"));
describe("SQLite, killed", () => describeKills("SQLite"));
