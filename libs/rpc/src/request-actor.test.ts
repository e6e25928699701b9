import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { type Actor, currentActor, runAs } from '@parley/actor';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ada, connectEcho, endAll, keys, startEcho } from '../test/start-echo.ts';
import { createProver } from './proof.ts';
import { actorOf } from './principal.ts';
import { withRequestScope } from './wire.ts';

let actors: (Actor | undefined)[];
beforeEach(() => void (actors = []));
afterEach(endAll);

async function start() {
  const say = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    actors.push(currentActor());
    return {};
  };
  const { address } = await startEcho({ say });
  const prover = createProver('directory', keys.directory.privateKey);
  return { gateway: connectEcho(address).echo, directory: connectEcho(address, { prover }).echo };
}

const scope = { deadline: Date.now() + 60_000, requestId: 'req_1', address: '192.0.2.7' };
const ofClient = <T>(work: () => T) => context.with(withRequestScope(ROOT_CONTEXT, scope), work);
const request = { address: '192.0.2.7', requestId: 'req_1' };
const adaWithKey: Actor = {
  type: 'employee',
  id: 'emp_1',
  name: 'Ada',
  credential: { type: 'api_key', id: 'key_1', name: 'Webshop' },
  ...request,
};

describe('the actor of a request', () => {
  it('the actor of a request is its principal, with the address of the client', async () => {
    const { gateway } = await start();
    await ofClient(() => gateway.say({}, { as: ada }));
    await ofClient(() => gateway.say({}, { as: { ...ada, credentialType: 'oauth_token', credentialName: 'CRM' } }));
    await ofClient(() => gateway.say({}, { as: { kind: 'operator' } }));
    await ofClient(() => gateway.say({}));
    expect(actors).toEqual([
      adaWithKey,
      { ...adaWithKey, type: 'app', credential: { type: 'oauth_token', id: 'key_1', name: 'CRM' } },
      { type: 'operator', id: '', name: 'operator', credential: { type: 'operator', id: '', name: '' }, ...request },
      { type: 'system', id: 'gateway', name: 'gateway', ...request },
    ]);
    expect(currentActor()).toBeUndefined();
  });

  it('the actor of a request is passed on by a service that calls for itself', async () => {
    const { directory } = await start();
    await runAs(adaWithKey, () => directory.say({}));
    await directory.say({});
    await ofClient(() => directory.say({}, { onBehalfOf: ada }));
    expect(actors.pop()).toEqual(adaWithKey);
    expect(actors).toEqual([adaWithKey, { type: 'system', id: 'directory', name: 'directory' }]);
  });

  it("the actor of a request cannot be replaced by the metadata of an employee's client", async () => {
    const { gateway } = await start();
    const other: Actor = { type: 'employee', id: 'emp_2', name: 'Eve' };
    await runAs(other, () => gateway.say({}, { as: ada }));
    expect(actors).toMatchObject([{ id: 'emp_1', name: 'Ada' }]);
  });

  it.each(['', '[]', '"x"', '{"address":{"a":1}}', '{"type":"root"}', '{'])(
    'the actor of a request is not changed by metadata %j',
    (told) => {
      expect(actorOf({ kind: 'service', name: 'speech' }, Buffer.from(told), undefined)).toEqual({
        type: 'system',
        id: 'speech',
        name: 'speech',
      });
    },
  );
});
