import { describe, expect, it } from '@jest/globals';
import { fieldRows } from './field-rows.ts';

const components = {
  Employee: {
    type: 'object',
    description: 'Somebody of the company',
    properties: { id: { type: 'string' }, name: { type: 'string', description: 'At the time' } },
    required: ['id', 'name'],
  },
};
const schema = {
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['open', 'done'] },
    note: { type: ['string', 'null'], description: 'Of the team' },
    employees: { type: 'array', items: { $ref: '#/components/schemas/Employee' } },
    assignee: {
      anyOf: [{ $ref: '#/components/schemas/Employee' }, { type: 'null' }],
      description: 'Who deals with it',
    },
    owner: { $ref: '#/components/schemas/Employee' },
    kind: { type: 'string', const: 'sms' },
    extra: {},
  },
  required: ['state', 'note', 'employees', 'assignee', 'owner', 'kind'],
};

describe('the fields of an object', () => {
  it('the fields of an object are listed with those of nested objects and lists behind them', () => {
    expect(fieldRows(schema, components)).toEqual([
      { path: 'state', type: 'one of open, done', description: '' },
      { path: 'note', type: 'string or null', description: 'Of the team' },
      { path: 'employees', type: 'list of object', description: '' },
      { path: 'employees[].id', type: 'string', description: '' },
      { path: 'employees[].name', type: 'string', description: 'At the time' },
      { path: 'assignee', type: 'object or null', description: 'Who deals with it' },
      { path: 'assignee.id', type: 'string', description: '' },
      { path: 'assignee.name', type: 'string', description: 'At the time' },
      { path: 'owner', type: 'object', description: 'Somebody of the company' },
      { path: 'owner.id', type: 'string', description: '' },
      { path: 'owner.name', type: 'string', description: 'At the time' },
      { path: 'kind', type: '"sms"', description: '' },
      { path: 'extra', type: 'any value, not always there', description: '' },
    ]);
  });

  it('the fields of an object that refers to an unknown one are an error', () => {
    expect(() => fieldRows({ $ref: '#/components/schemas/Parcel' }, components)).toThrow('there is no');
  });
});
