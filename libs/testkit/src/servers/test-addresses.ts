/** Jest's global setup sets the addresses of this run's servers in the environment, so that every worker has them. */
const VARIABLES = { mongo: 'PARLEY_TEST_MONGODB_URL', nats: 'PARLEY_TEST_NATS_URL' } as const;

export function setTestAddress(server: keyof typeof VARIABLES, url: string): void {
  process.env[VARIABLES[server]] = url;
}

export function testAddress(server: keyof typeof VARIABLES): string {
  const url = process.env[VARIABLES[server]];
  if (!url) throw new Error(`${VARIABLES[server]} is not set: run the tests with Jest's configuration at the root`);
  return url;
}
