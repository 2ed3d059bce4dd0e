/** Node's HTTP servers. Not as an import: that would load Node's clients too, which nobody here uses, 12 MB of them. */
const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule("node:http");
const { createServer: createTlsServer } = process.getBuiltinModule("node:https");

export { createServer, createTlsServer, ServerResponse, STATUS_CODES };
