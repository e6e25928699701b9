import { describe, expect, it } from '@jest/globals';
import { pythonEnvironment, runPython } from '@parley/python-sdk/environment';
import { ParleyOAuth } from '@parley/sdk';
import { waitUntil } from '@parley/testkit/wait-until';
import { allow, REDIRECT_URI } from '../identity/app.ts';
import { allowDevice } from '../identity/device.ts';
import { newPerson } from '../identity/people.ts';
import { startTexting } from '../messages/texting.ts';
import { sharedStack } from '../support/api.ts';
import { openHook } from '../webhooks/hooks.ts';

const stack = sharedStack();
const environment = await pythonEnvironment();
if ('unavailable' in environment)
  process.stderr.write(`left out: the Python client against the local stack: ${environment.unavailable}\n`);
const python = 'python' in environment ? environment.python : '';

/** An app that an employee has allowed. */
async function allowedApp() {
  const person = await newPerson();
  const oauth = new ParleyOAuth({ baseUrl: stack.base_url, redirectUri: REDIRECT_URI });
  const { client_id: clientId } = await oauth.register({ client_name: 'Calendar', redirect_uris: [REDIRECT_URI] });
  const { url } = await oauth.authorizationUrl();
  const tokens = await oauth.callback(await allow(person, url.slice(stack.base_url.length)));
  return { client_id: clientId, tokens, company_id: person.companyId };
}

(python === '' ? describe.skip : describe)('the Python client', () => {
  it('the Python client works against the local stack and the scripted servers of the sandbox', async () => {
    const texting = await startTexting();
    const employee = await newPerson();
    const shown = openHook({ id: employee.companyId });
    const described = {
      base_url: stack.base_url,
      sandbox_url: stack.sandbox_url,
      api_key: texting.company.apiKey,
      owner_id: texting.company.owner.id,
      number: texting.number,
      customers: [texting.customer(), texting.customer()],
      hook_url: openHook(texting.company).url,
      app: await allowedApp(),
      device_url: shown.url,
      device_company_id: employee.companyId,
    };
    const options = ['tests/stack', '-p', 'no:cacheprovider'];
    const env = { PARLEY_TEST_STACK: JSON.stringify(described) };
    const program = async () => (await shown.arrived())[0]?.body as unknown as Record<string, string> | undefined;
    async function allowProgram(): Promise<void> {
      const what = 'the program without a browser';
      const { user_code: userCode, uri, complete } = await waitUntil(program, { what, timeoutMs: 90_000 });
      expect([uri, complete]).toEqual([`${stack.base_url}/device`, `${stack.base_url}/device?user_code=${userCode}`]);
      await allowDevice(employee, userCode!);
    }
    const [output] = await Promise.all([runPython(python, ['-m', 'pytest', ...options], { env }), allowProgram()]);
    expect(output).toMatch(/^\d+ passed/m);
  });
});
