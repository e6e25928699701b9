import { describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { asEmployee } from '@parley/testkit/service';
import { defaultAnswer } from './default-answer.ts';

const operator = { kind: 'operator' } as const;

describe('the default response of a stub', () => {
  it('the default response of a stub repeats the ids of the request', () => {
    expect(defaultAnswer(EmployeeLookupService.method.getEmployee, { id: 'emp_7' }, operator)).toMatchObject({
      employee: { id: 'emp_7', email: 'ane@example.com' },
    });
  });

  it('the default response of a stub has the company of the principal', () => {
    const { as: employee } = asEmployee('com_7', 'emp_7');
    expect(defaultAnswer(EmployeeLookupService.method.getEmployee, {}, employee)).toMatchObject({
      employee: { companyId: 'com_7' },
    });
  });

  it('the default response of a stub lists one of each', () => {
    const { contacts } = defaultAnswer(ContactService.method.listContacts, {}, operator);
    expect(contacts).toMatchObject([{ phone: '+4520304050' }]);
  });

  it('the default response of a stub is valid for longer than a request takes', () => {
    const { validUntil } = defaultAnswer(CredentialService.method.verifyApiKey, {}, operator);
    expect(Number((validUntil as { seconds: bigint }).seconds)).toBeGreaterThan(Date.now() / 1000 + 60);
  });

  it.each([CredentialService, ContactService, EmployeeLookupService, RoutingService, SpeechService])(
    'the default response of a stub is a message of the contract',
    ({ methods }) => {
      for (const method of methods)
        expect(toBinary(method.output, create(method.output, defaultAnswer(method, {}, operator)))).toBeDefined();
    },
  );
});
