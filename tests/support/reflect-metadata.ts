/** `@peculiar/x509` asks for the metadata of decorators, and uses none of it for the certificates made here. */
Object.assign(Reflect, {
  getMetadata: () => undefined,
  getOwnMetadata: () => undefined,
  defineMetadata: () => undefined,
});
