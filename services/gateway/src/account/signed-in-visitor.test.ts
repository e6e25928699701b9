import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import type { Visitor } from '../pages/visitor.ts';
import { authenticateVisitor } from './signed-in-visitor.ts';

const employee = { employeeId: 'emp_1' };
const ask = (headers: Record<string, string>, visitor: object = { employee }) =>
  authenticateVisitor(async () => ({ baseUrl: 'https://p.example', ...visitor }) as Visitor)({
    headers,
  } as unknown as IncomingMessage);

it.each<[string, Record<string, string>]>([
  ['our own page', { origin: 'https://p.example', 'sec-fetch-site': 'same-origin' }],
  ['an address that was typed', { 'sec-fetch-site': 'none' }],
])('the account takes the session from %s', async (_case, headers) => {
  expect(await ask(headers)).toMatchObject({ employee });
});

it.each<[string, Record<string, string>, object | undefined]>([
  ['another site', { origin: 'https://evil.example' }, undefined],
  ['a sibling site', { 'sec-fetch-site': 'same-site' }, undefined],
  ['nobody', { origin: 'https://p.example' }, {}],
  ['somebody with a key but without a session', { 'x-api-key': 'pk_1' }, {}],
])('the account refuses a request from %s', async (_case, headers, visitor) => {
  await expect(ask(headers, visitor)).rejects.toMatchObject({ response: { status: 401 } });
});
