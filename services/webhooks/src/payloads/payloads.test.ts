import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  ContactCreatedSchema,
  ContactDeletedSchema,
  ContactUpdatedSchema,
} from '@parley/proto/directory/v1/contact_events_pb';
import { describe, expect, it } from '@jest/globals';
import { EmployeeStatusChangedSchema } from '@parley/proto/call_control/v1/presence_events_pb';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import {
  RegistrationApprovedSchema,
  RegistrationRejectedSchema,
} from '@parley/proto/numbers_routing/v1/number_events_pb';
import { RegistrationStatus } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { webhookBody } from './payload.ts';
import { payloads } from './payloads.ts';

const createdAt = new Date('2026-03-01T12:00:00.007Z');
const updatedAt = new Date('2026-03-02T12:00:00.000Z');
const bare = {
  id: 'con_1',
  phone: '+4512345678',
  phoneFormatted: '+45 12 34 56 78',
  createdAt: timestampFromDate(createdAt),
  updatedAt: timestampFromDate(updatedAt),
};
const bareJson = {
  id: 'con_1',
  name: null,
  email: null,
  phone: '+4512345678',
  phone_formatted: '+45 12 34 56 78',
  company_name: null,
  note: null,
  created_at: '2026-03-01T12:00:00.007Z',
  updated_at: '2026-03-02T12:00:00.000Z',
};

function dataOf(fact: string, bytes: Uint8Array) {
  return payloads.filter((payload) => payload.fact === fact).map(({ event, data }) => [event, data(bytes)]);
}

describe('contact payloads', () => {
  it.each([
    ['directory.contact.created', 'contact.created', ContactCreatedSchema],
    ['directory.contact.updated', 'contact.updated', ContactUpdatedSchema],
    ['directory.contact.deleted', 'contact.deleted', ContactDeletedSchema],
  ] as const)('of %s carry the full contact, absent fields as null', (fact, event, schema) => {
    const full = { name: 'Ida', email: 'ida@example.com', companyName: 'Ida ApS', note: 'VIP' };
    const send = (contact: object) => toBinary(schema, create(schema, { contact: { ...bare, ...contact } } as never));
    expect(dataOf(fact, send({}))).toEqual([[event, { contact: bareJson }]]);
    expect(dataOf(fact, send(full))).toEqual([
      [
        event,
        { contact: { ...bareJson, name: 'Ida', email: 'ida@example.com', company_name: 'Ida ApS', note: 'VIP' } },
      ],
    ]);
  });

  it('are not made of an event without a contact', () => {
    const empty = toBinary(ContactCreatedSchema, create(ContactCreatedSchema));
    expect(() => dataOf('directory.contact.created', empty)).toThrow('without its contact');
  });
});

describe('an employee payload', () => {
  const employee = {
    id: 'emp_1',
    companyId: 'com_1',
    name: 'Eva',
    email: 'eva@example.com',
    invitationPending: false,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
  const dataFor = (presence: object, more: object = {}) =>
    dataOf(
      'call-control.employee_status.changed',
      toBinary(
        EmployeeStatusChangedSchema,
        create(EmployeeStatusChangedSchema, { employee: { ...employee, ...more }, presence }),
      ),
    );

  it('carries the full employee', () => {
    expect(dataFor({ status: PresenceStatus.AVAILABLE })).toEqual([
      [
        'employee.status.changed',
        {
          employee: {
            id: 'emp_1',
            name: 'Eva',
            email: 'eva@example.com',
            phone: null,
            invitation_pending: false,
            status: 'available',
            do_not_disturb: false,
            do_not_disturb_activated_at: null,
            do_not_disturb_expires_at: null,
            created_at: '2026-03-01T12:00:00.007Z',
            updated_at: '2026-03-02T12:00:00.000Z',
          },
        },
      ],
    ]);
  });

  it('says since when and until when do-not-disturb is on', () => {
    const [[, data]] = dataFor(
      {
        status: PresenceStatus.DO_NOT_DISTURB,
        doNotDisturbActivatedAt: timestampFromDate(createdAt),
        doNotDisturbExpiresAt: timestampFromDate(updatedAt),
        doNotDisturbChangedAt: timestampFromDate(new Date(updatedAt.getTime() + 1)),
      },
      { phone: '+4512345678' },
    ) as [[string, object]];
    expect(data).toMatchObject({
      employee: {
        phone: '+4512345678',
        status: 'do_not_disturb',
        do_not_disturb: true,
        do_not_disturb_activated_at: '2026-03-01T12:00:00.007Z',
        do_not_disturb_expires_at: '2026-03-02T12:00:00.000Z',
        updated_at: '2026-03-02T12:00:00.001Z',
      },
    });
  });

  it.each([
    [PresenceStatus.UNSPECIFIED, 'unknown'],
    [PresenceStatus.ON_CALL, 'on_call'],
    [PresenceStatus.RINGING, 'ringing'],
    [PresenceStatus.LOGGED_OUT, 'logged_out'],
  ])('has the specification’s word for status %i', (status, word) => {
    expect(dataFor({ status })).toMatchObject([[expect.anything(), { employee: { status: word } }]]);
  });
});

describe('registration payloads', () => {
  const number = { id: 'num_1', number: '+4570000000', name: 'Support' };

  it('of an approval carry the number’s three fields', () => {
    const fact = create(RegistrationApprovedSchema, {
      number: { ...number, registrationStatus: RegistrationStatus.APPROVED },
    });
    expect(dataOf('numbers-routing.registration.approved', toBinary(RegistrationApprovedSchema, fact))).toEqual([
      [
        'number.registration_approved',
        { main_number: { id: 'num_1', number: '+4570000000', registration_status: 'approved' } },
      ],
    ]);
  });

  it('of a rejection say why', () => {
    const fact = create(RegistrationRejectedSchema, {
      number: { ...number, registrationStatus: RegistrationStatus.REJECTED },
      reason: 'No proof of address.',
    });
    expect(dataOf('numbers-routing.registration.rejected', toBinary(RegistrationRejectedSchema, fact))).toEqual([
      [
        'number.registration_rejected',
        {
          main_number: { id: 'num_1', number: '+4570000000', registration_status: 'rejected' },
          reason: 'No proof of address.',
        },
      ],
    ]);
  });
});

describe('a webhook body', () => {
  it('has the three envelope keys only', () => {
    expect(webhookBody('contact.created', createdAt, { contact: 1 })).toBe(
      '{"event":"contact.created","timestamp":"2026-03-01T12:00:00.007Z","data":{"contact":1}}',
    );
  });
});
