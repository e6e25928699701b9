// `helm test`: everything behind the gateway is ready, and the API responds. An unknown key is verified with identity,
// which looks into its database.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const { GATEWAY_URL, PUBLIC_HOST, TIMEOUT_SECS = '60' } = process.env;
const until = Date.now() + Number(TIMEOUT_SECS) * 1000;

function ask(path, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = get(`${GATEWAY_URL}${path}`, { headers: { Host: PUBLIC_HOST, ...headers }, timeout: 5000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    request.on('timeout', () => request.destroy(new Error('no answer within 5 s'))).on('error', reject);
  });
}

async function check(what, path, headers, expected) {
  for (;;) {
    const { status, body } = await ask(path, headers).catch((error) => ({ status: 0, body: error.message }));
    const found = `${what}: GET ${path} is ${status}`;
    if (status === expected) return console.log(found);
    if (Date.now() > until) {
      console.error(`${found}, not ${expected}: ${body.slice(0, 500)}`);
      process.exit(1);
    }
    await sleep(2000);
  }
}

await check('every service is ready', '/healthz', {}, 200);
await check('the API refuses an unknown key', '/api/v1/employees', { 'X-Api-Key': 'pk_helm_test' }, 401);
await check('the API describes itself', '/openapi.json', {}, 200);
