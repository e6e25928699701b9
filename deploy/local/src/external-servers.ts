export interface NatsAccess {
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
}

const ANSWER_MS_MAX = 5_000;

/** Makes sure that the servers which a person named answer. Most starts name none, so the drivers are loaded only here. */
export async function checkExternalServers(given: { mongoUrl?: string; natsUrl?: string }): Promise<void> {
  if (given.mongoUrl) await checkMongo(given.mongoUrl);
  if (given.natsUrl) await checkNats(given.natsUrl);
}

/** Fails with one clear line, without the address's credentials, unless the MongoDB of MONGODB_URL answers. */
export async function checkMongo(url: string): Promise<void> {
  const { MongoClient } = await import('mongodb');
  let client: InstanceType<typeof MongoClient> | undefined;
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: ANSWER_MS_MAX, connectTimeoutMS: ANSWER_MS_MAX });
    await client.db('admin').command({ ping: 1 });
  } catch (error) {
    throw new Error(`MONGODB_URL (${withoutCredentials(url)}) does not answer: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await client?.close();
  }
}

/** Fails with one clear line, without the address's credentials, unless the NATS of NATS_URL lets us in. */
export async function checkNats(address: string): Promise<void> {
  const { connect } = await import('@nats-io/transport-node');
  try {
    const { url, user, password } = natsAccess(address);
    const servers = url.split(',');
    const connection = await connect({ servers, user, pass: password, timeout: ANSWER_MS_MAX, reconnect: false });
    await connection.close();
  } catch (error) {
    throw new Error(`NATS_URL (${withoutCredentials(address)}) does not answer: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Separates the credentials from the addresses (several, with commas, for a cluster), because clients take them separately. */
export function natsAccess(address: string): NatsAccess {
  const servers = address.split(',').map((server) => new URL(server.includes('://') ? server : `nats://${server}`));
  const { username, password } = servers[0]!;
  return {
    url: servers.map(({ protocol, host }) => `${protocol}//${host}`).join(','),
    ...(username && { user: decodeURIComponent(username), password: decodeURIComponent(password) }),
  };
}

function withoutCredentials(address: string): string {
  return address.replaceAll(/[^/,@]*@/g, '');
}
