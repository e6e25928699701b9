import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
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
import { encodeMessage } from '@parley/events';
import { CallDirection, CallSchema, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { eventTypes } from '@parley/public-json';
import { payloads, webhookBody } from './payloads.ts';
import { call, callJson, createdAt, updatedAt } from '../../test/support/a-call.ts';
import { dataOf } from '../../test/support/data-of.ts';

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

describe('contact payloads', () => {
  it.each([
    ['directory.contact.created', 'contact.created', ContactCreatedSchema],
    ['directory.contact.updated', 'contact.updated', ContactUpdatedSchema],
    ['directory.contact.deleted', 'contact.deleted', ContactDeletedSchema],
  ] as const)('contact payloads of %s carry the full contact, absent fields as null', async (fact, event, schema) => {
    const full = { name: 'Ida', email: 'ida@example.com', companyName: 'Ida ApS', note: 'VIP' };
    const send = (contact: object) =>
      toBinary(schema, create(schema, { contact: { ...bare, ...contact } } as MessageInitShape<typeof schema>));
    expect(await dataOf(fact, send({}))).toEqual([[event, { contact: bareJson }]]);
    expect(await dataOf(fact, send(full))).toEqual([
      [
        event,
        { contact: { ...bareJson, name: 'Ida', email: 'ida@example.com', company_name: 'Ida ApS', note: 'VIP' } },
      ],
    ]);
  });

  it('contact payloads are not made of an event without a contact', async () => {
    const empty = toBinary(ContactCreatedSchema, create(ContactCreatedSchema));
    await expect(dataOf('directory.contact.created', empty)).rejects.toThrow('without its contact');
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

  it('an employee payload carries the full employee', async () => {
    expect(await dataFor({ status: PresenceStatus.AVAILABLE })).toEqual([
      [
        'employee.status.changed',
        {
          employee: {
            id: 'emp_1',
            name: 'Eva',
            email: 'eva@example.com',
            phone: null,
            forward_to: null,
            invitation_pending: false,
            role: 'admin',
            active: true,
            deactivated_at: null,
            managed_by: null,
            email_confirmation_pending: false,
            call_waiting: false,
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

  it('an employee payload contains the start and the end of do-not-disturb', async () => {
    const [[, data]] = (await dataFor(
      {
        status: PresenceStatus.DO_NOT_DISTURB,
        doNotDisturbActivatedAt: timestampFromDate(createdAt),
        doNotDisturbExpiresAt: timestampFromDate(updatedAt),
        doNotDisturbChangedAt: timestampFromDate(new Date(updatedAt.getTime() + 1)),
      },
      { phone: '+4512345678' },
    )) as [[string, object]];
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
  ])('an employee payload has the specification’s name for status %i', async (status, word) => {
    expect(await dataFor({ status })).toMatchObject([[expect.anything(), { employee: { status: word } }]]);
  });
});

describe('registration payloads', () => {
  const number = { id: 'num_1', number: '+4570000000', name: 'Support' };

  it('payloads of an approval carry the number’s three fields', async () => {
    const fact = create(RegistrationApprovedSchema, {
      number: { ...number, registrationStatus: RegistrationStatus.APPROVED },
    });
    expect(await dataOf('numbers-routing.registration.approved', toBinary(RegistrationApprovedSchema, fact))).toEqual([
      [
        'number.registration_approved',
        { main_number: { id: 'num_1', number: '+4570000000', registration_status: 'approved' } },
      ],
    ]);
  });

  it('payloads of a rejection contain the reason', async () => {
    const fact = create(RegistrationRejectedSchema, {
      number: { ...number, registrationStatus: RegistrationStatus.REJECTED },
      reason: 'No proof of address.',
    });
    expect(await dataOf('numbers-routing.registration.rejected', toBinary(RegistrationRejectedSchema, fact))).toEqual([
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

describe('call payloads', () => {
  it.each([
    ['call-control.call.initiated', 'call.initiated'],
    ['call-control.call.outside_business_hours', 'call.outside_business_hours'],
    ['call-control.call.queued', 'call.queued'],
    ['call-control.call.answered', 'call.answered'],
    ['call-control.call.ended', 'call.ended'],
    ['call-control.call.lost', 'call.lost'],
    ['call-control.call.transcription_done', 'call.transcription_done'],
  ] as const)('call payloads of %s are the call itself', async (fact, event) => {
    expect(await dataOf(fact, encodeMessage(fact, { call }).data)).toEqual([[event, callJson]]);
  });

  it('call payloads carry participants, the transcript and who placed the call', async () => {
    const eva = { id: 'emp_1', name: 'Eva' };
    const ended = {
      ...call,
      direction: CallDirection.OUTBOUND,
      state: CallState.ENDED,
      answeredAt: timestampFromDate(createdAt),
      durationSecs: 61,
      hasTranscription: true,
      employees: [eva],
      initiatedBy: eva,
    };
    const fact = 'call-control.call.transcription_done';
    expect(await dataOf(fact, encodeMessage(fact, { call: ended }).data)).toEqual([
      [
        'call.transcription_done',
        {
          ...callJson,
          direction: 'outbound',
          state: 'ended',
          answered_at: '2026-03-01T12:00:00.007Z',
          duration: 61,
          summary: 'About a delivery.',
          transcription: 'Hello',
          transcription_segments: [
            { speaker: 'Eva', text: 'Hello', employee_id: 'emp_1' },
            { speaker: '+4512345678', text: 'Hi' },
          ],
          recording_url: 'https://phone.example/media/recordings/cal_1-1?sig=x',
          employees: [eva],
          initiated_by: eva,
        },
      ],
    ]);
  });

  it('call payloads about a note have note and tags as they are now', async () => {
    const fact = 'call-control.call.note_changed';
    const content = create(CallSchema, { id: 'cal_1', note: 'VIP', tags: ['a'] });
    const bytes = encodeMessage(fact, { call }).data;
    const sources = { callContent: async () => content } as unknown as Parameters<typeof dataOf>[2];
    expect(await dataOf(fact, bytes, sources)).toEqual([
      ['call.note_changed', { ...callJson, note: 'VIP', tags: ['a'] }],
    ]);
  });

  it('payloads of what happened before the transcription have the address of the recording only', async () => {
    const fact = 'call-control.call.ended';
    const ended = { ...call, state: CallState.ENDED, answeredAt: timestampFromDate(createdAt) };
    const recording_url = 'https://phone.example/media/recordings/cal_1-1?sig=x';
    const answered_at = '2026-03-01T12:00:00.007Z';
    expect(await dataOf(fact, encodeMessage(fact, { call: ended }).data)).toEqual([
      ['call.ended', { ...callJson, state: 'ended', answered_at, recording_url }],
    ]);
  });

  it('payloads of a call with an assistant have what was said at its end', async () => {
    const fact = 'call-control.call.ended';
    const assistant = { id: 'ast_1', name: 'Robin', engine: 'embedded', outcome: 'message_taken', sessionId: 'ses_1' };
    const ended = { ...call, state: CallState.ENDED, assistant };
    const [[, data]] = (await dataOf(fact, encodeMessage(fact, { call: ended }).data)) as [[string, object]];
    expect(data).toMatchObject({ state: 'ended', summary: 'About a delivery.', transcription: 'Hello' });
    const before = { ...call, state: CallState.QUEUED, assistant };
    const [[, queued]] = (await dataOf(fact, encodeMessage(fact, { call: before }).data)) as [[string, object]];
    expect(queued).toMatchObject({ summary: null, transcription: null, transcription_segments: null });
  });

  it('payloads of a call that nobody answered are complete', async () => {
    const fact = 'call-control.call.lost';
    const lost = { ...call, state: CallState.ENDED };
    expect(await dataOf(fact, encodeMessage(fact, { call: lost }).data)).toEqual([
      ['call.lost', { ...callJson, state: 'ended' }],
    ]);
  });

  it('call payloads have an empty transcript of a call without a word', async () => {
    const fact = 'call-control.call.transcription_done';
    const silent = { ...call, hasTranscription: true, transcription: '' };
    expect(await dataOf(fact, encodeMessage(fact, { call: silent }).data)).toEqual([
      ['call.transcription_done', { ...callJson, transcription: '', transcription_segments: [] }],
    ]);
  });
});

describe('voicemail payloads', () => {
  const voicemail = {
    id: 'vml_1',
    companyId: 'com_1',
    callId: 'cal_1',
    from: '+4512345678',
    createdAt: timestampFromDate(updatedAt),
    mainNumberId: 'num_1',
    mainNumberName: 'Support',
    mainNumber: '+4570000000',
    mainNumberFormatted: '+45 70 00 00 00',
  };
  const voicemailJson = {
    id: 'vml_1',
    from: '+4512345678',
    main_number_name: 'Support',
    main_number_number: '+4570000000',
    transcription: null,
    created_at: '2026-03-02T12:00:00.000Z',
  };

  it('voicemail payloads are the call with the voicemail in it', async () => {
    const fact = 'call-control.voicemail.created';
    expect(await dataOf(fact, encodeMessage(fact, { call, voicemail }).data)).toEqual([
      ['voicemail.new', { ...callJson, voicemail: voicemailJson }],
    ]);
  });

  it('voicemail payloads carry the transcription once there is one, which is read from its owner', async () => {
    const fact = 'call-control.voicemail.transcription_done';
    const transcribed = { ...voicemail, hasTranscription: true };
    const transcription = 'said in com_1/vml_1';
    expect(await dataOf(fact, encodeMessage(fact, { call, voicemail: transcribed }).data)).toEqual([
      ['voicemail.transcription_done', { ...callJson, voicemail: { ...voicemailJson, transcription } }],
    ]);
  });
});

describe('an audit payload', () => {
  it('an audit payload is made of any fact that carries an entry, beside its own event', async () => {
    const fact = 'call-control.call.ended';
    const object = { type: 'call', id: 'cal_1', name: 'Support' };
    const audit = { type: 'recording.played', object, changes: {} };
    const { data } = encodeMessage(fact, { call });
    expect(await dataOf(fact, data, undefined, audit)).toEqual([
      ['call.ended', callJson],
      [
        'audit.created',
        {
          audit_event: {
            id: 'aud_1',
            at: '2026-03-01T12:00:00.000Z',
            type: 'recording.played',
            actor: { type: 'system', id: 'call-control', name: 'call-control', credential: null },
            object,
            changes: {},
            address: null,
            request_id: null,
          },
        },
      ],
    ]);
  });
});

describe('payloads', () => {
  it('payloads exist for every event type a subscription can name', () => {
    expect([...new Set(payloads.map(({ event }) => event))].toSorted()).toEqual(eventTypes.toSorted());
  });
});

describe('a webhook body', () => {
  it('a webhook body has the three envelope keys only', () => {
    expect(webhookBody('contact.created', createdAt, { contact: 1 })).toBe(
      '{"event":"contact.created","timestamp":"2026-03-01T12:00:00.007Z","data":{"contact":1}}',
    );
  });
});
