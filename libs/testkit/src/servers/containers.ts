import type { StartedTestContainer } from 'testcontainers';
import type { Servers } from './servers.ts';

const MONGO_IMAGE = 'mongo:8.0';
const NATS_IMAGE = 'nats:2.12-alpine';

/** Starts MongoDB itself, as a replica set of one, and NATS in containers. Docker must be running. */
export async function startContainers(run = runImages): Promise<Servers> {
  const [mongo, nats] = await run().catch((error: Error) => {
    throw /container runtime/i.test(error.message) ? withoutDocker(error) : error;
  });
  const initiate = `rs.initiate({ _id: 'tests', members: [{ _id: 0, host: 'localhost:27017' }] });
    while (!db.hello().isWritablePrimary) sleep(50);`;
  const { exitCode, output } = await mongo.exec(['mongosh', '--quiet', '--eval', initiate]);
  if (exitCode !== 0) throw new Error(`the replica set could not be initiated: ${output}`);
  return {
    mongoUrl: `mongodb://${mongo.getHost()}:${mongo.getMappedPort(27017)}/?directConnection=true&w=majority`,
    natsUrl: `nats://test:test@${nats.getHost()}:${nats.getMappedPort(4222)}`,
    stop: async () => void (await Promise.all([mongo.stop(), nats.stop()])),
  };
}

async function runImages(): Promise<[mongo: StartedTestContainer, nats: StartedTestContainer]> {
  const { GenericContainer, Wait } = await import('testcontainers');
  return Promise.all([
    new GenericContainer(MONGO_IMAGE)
      .withExposedPorts(27017)
      .withCommand(['--replSet', 'tests', '--bind_ip_all'])
      .withWaitStrategy(Wait.forLogMessage('Waiting for connections'))
      .start(),
    new GenericContainer(NATS_IMAGE)
      .withExposedPorts(4222)
      .withCommand(['-js', '--user', 'test', '--pass', 'test'])
      .withWaitStrategy(Wait.forLogMessage('Server is ready'))
      .start(),
  ]);
}

function withoutDocker(cause: Error): Error {
  const what = `PARLEY_TEST_ENGINES=containers needs a running Docker: ${cause.message}`;
  return new Error(`${what}. Without the setting the tests run on the embedded engines.`, { cause });
}
