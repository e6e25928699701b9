import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fieldPath, fieldsRefusal, flatRecord, validate } from './validation.ts';

const option = z.object({ digit: z.string().regex(/^[1-9]$/), employee_ids: z.array(z.string()).min(1) });
const schema = z.object({
  name: z.string().min(1).max(8).optional(),
  code: z.string().min(2).optional(),
  email: z.email().nullish(),
  position: z.int().min(0).max(9).optional(),
  enabled: z.boolean().optional(),
  direction: z.enum(['inbound', 'outbound']).optional(),
  expires_at: z.iso.datetime().optional(),
  timeout: z.union([z.int(), z.null(), z.literal('')]).optional(),
  menu_options: z.array(option).max(2).optional(),
  config: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('RejectConfig'), message: z.string() }),
      z.object({ type: z.literal('TransferConfig'), employee_ids: z.array(z.string()) }),
    ])
    .optional(),
  target: z.union([z.string(), z.object({ employee_id: z.string() })]).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  url: z
    .string()
    .refine((url) => url.startsWith('https:'), { error: 'must be https' })
    .optional(),
});

function problems(input: unknown) {
  const validated = validate(schema, input);
  return 'fields' in validated ? validated.fields : {};
}

describe('validate', () => {
  it.each([
    [{ name: '' }, 'name', 'must not be blank'],
    [{ name: 'far too long' }, 'name', 'is too long (maximum is 8 characters)'],
    [{ code: 'x' }, 'code', 'is too short (minimum is 2 characters)'],
    [{ name: 7 }, 'name', 'must be a string'],
    [{ name: null }, 'name', 'must be a string'],
    [{ name: { $ne: null } }, 'name', 'must be a string'],
    [{ name: ['a'] }, 'name', 'must be a string'],
    [{ email: 'nobody' }, 'email', 'is not a valid e-mail address'],
    [{ position: -1 }, 'position', 'must be at least 0'],
    [{ position: 10 }, 'position', 'must be at most 9'],
    [{ position: 1.5 }, 'position', 'must be an integer'],
    [{ position: '1' }, 'position', 'must be a number'],
    [{ position: Number.POSITIVE_INFINITY }, 'position', 'must be a number'],
    [{ enabled: 'yes' }, 'enabled', 'must be true or false'],
    [{ direction: 'up' }, 'direction', 'must be one of inbound, outbound'],
    [{ expires_at: 'tomorrow' }, 'expires_at', 'must be an ISO 8601 timestamp'],
    [{ timeout: 'x' }, 'timeout', 'must be a number or null or blank'],
    [{ menu_options: {} }, 'menu_options', 'must be an array'],
    [
      { menu_options: [1, 2, 3].map(() => ({ digit: '1', employee_ids: ['e'] })) },
      'menu_options',
      'must have at most 2 items',
    ],
    [{ menu_options: [{ digit: '1', employee_ids: [] }] }, 'menu_options[0].employee_ids', 'must have at least 1 item'],
    [
      { menu_options: [{ digit: '1', employee_ids: ['e'] }, { employee_ids: ['e'] }] },
      'menu_options[1].digit',
      'is required',
    ],
    [{ menu_options: [{ digit: '0', employee_ids: ['e'] }] }, 'menu_options[0].digit', 'is invalid'],
    [{ menu_options: [{ digit: '1', employee_ids: [3] }] }, 'menu_options[0].employee_ids[0]', 'must be a string'],
    [{ config: { type: 'Other' } }, 'config.type', 'must be one of RejectConfig, TransferConfig'],
    [{ config: {} }, 'config.type', 'must be one of RejectConfig, TransferConfig'],
    [{ config: { type: 'RejectConfig' } }, 'config.message', 'is required'],
    [{ target: { employee_id: 4 } }, 'target.employee_id', 'must be a string'],
    [{ target: 4 }, 'target', 'must be a string or an object'],
    [{ url: 'http://example.com' }, 'url', 'must be https'],
    [{ name: 'a\0b' }, 'name', 'contains an invalid character'],
    [{ name: '\ud800' }, 'name', 'contains an invalid character'],
    [
      { menu_options: [{ digit: '1', employee_ids: ['\udfff'] }] },
      'menu_options[0].employee_ids[0]',
      'contains an invalid character',
    ],
    [{ labels: { 'a\0': 'b' } }, 'labels', 'contains an invalid character'],
    [[], 'body', 'must be an object'],
    ['text', 'body', 'must be an object'],
    [null, 'body', 'must be an object'],
  ])('validate reports for %j that %s %s', (input, field, message) => {
    expect(problems(input)).toEqual({ [field]: [message] });
  });

  it.each([
    { name: '😀' },
    { unknown: 'a\0b', name: 'ok' },
    { timeout: '' },
    { timeout: null },
    { labels: { any: 'thing' } },
    {},
  ])('validate accepts %j', (input) => {
    expect(problems(input)).toEqual({});
  });

  it('validate drops unknown fields', () => {
    expect(validate(schema, { name: 'a', is_admin: true })).toEqual({ value: { name: 'a' } });
  });

  it('validate lets __proto__ and constructor do nothing', () => {
    const input = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"labels":{"__proto__":"x"}}',
    );
    const validated = validate(schema, input) as { value: Record<string, unknown> };
    expect(Object.keys(validated.value)).toEqual(['labels']);
    expect(Object.getPrototypeOf(validated.value.labels)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('validate names at most a hundred fields', () => {
    const validated = validate(z.object({ ids: z.array(z.string()) }), { ids: Array(5_000).fill(1) });
    expect(Object.keys('fields' in validated ? validated.fields : {})).toHaveLength(100);
  });
});

describe('fieldsRefusal', () => {
  it('fieldsRefusal makes a sentence of the first field', () => {
    const refusal = fieldsRefusal({ phone: ['is required'], name: ['must be a string'] });
    expect(refusal).toMatchObject({ code: 'validation_failed', message: 'phone is required' });
  });
});

describe('fieldPath', () => {
  it.each([
    [['a'], 'a'],
    [['a', 0], 'a[0]'],
    [['a', 0, 'b', 1, 2], 'a[0].b[1][2]'],
    [[0, 'a'], '[0].a'],
    [[], 'body'],
  ])('fieldPath writes %j as %s', (path, text) => {
    expect(fieldPath(path)).toBe(text);
  });
});

describe('flatRecord', () => {
  it.each([
    ['phone=%2B45&x=1&x=2', { value: { phone: '+45' } }],
    ['phone=', { value: { phone: '' } }],
    ['phone=1&phone=2', { fields: { phone: ['must be given only once'] } }],
    ['phone[]=1', { fields: { phone: ['must be a single value'] } }],
    ['phone[$ne]=1', { fields: { phone: ['must be a single value'] } }],
    ['phone%5B%24ne%5D=1&phone=2', { fields: { phone: ['must be a single value'] } }],
    ['other[x]=1', { value: {} }],
    ['__proto__=1&constructor=2', { value: {} }],
  ])('flatRecord reads %s', (query, expected) => {
    expect(flatRecord(new URLSearchParams(query), ['phone'])).toEqual(expected);
  });

  it('flatRecord takes every key as one string where no names are known', () => {
    expect(flatRecord(new URLSearchParams('a[b]=c&d=e'), undefined)).toEqual({ value: { 'a[b]': 'c', d: 'e' } });
    expect(flatRecord(new URLSearchParams('a=1&a=2'), undefined)).toEqual({
      fields: { a: ['must be given only once'] },
    });
  });
});
