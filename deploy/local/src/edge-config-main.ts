// `npm run edge-config -- DIRECTORY`: writes the configuration of a Kamailio in front of several switches from the environment
// (docs/telephony.md lists the settings).
import path from 'node:path';
import { readEdgeSettings, writeEdge } from '@parley/edge';

const { env } = process;
const [given] = process.argv.slice(2);
try {
  if (!given) throw new Error('usage: npm run edge-config -- DIRECTORY');
  // npm runs programs in the checkout, whatever directory it was started in.
  const directory = path.resolve(env.INIT_CWD || process.cwd(), given);
  writeEdge(readEdgeSettings(env), directory);
  console.log(`written to ${directory}: kamailio -f ${path.join(directory, 'kamailio.cfg')}`);
} catch (error) {
  console.error(`edge-config: ${(error as Error).message}`);
  process.exit(1);
}
