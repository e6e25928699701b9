import { describe, expect, it } from '@jest/globals';
import { createTestCompany, succeeded } from '../support/api.ts';
import { eventChecker } from '../support/delivered-events.ts';
import { openHook } from './hooks.ts';

describe('an event at a receiver', () => {
  it('an event at a receiver is as asyncapi.json describes it, and any other field of it would be found', async () => {
    const company = await createTestCompany();
    const hook = openHook(company);
    await succeeded(company.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events: ['contact.created'] }));
    await succeeded(company.call('POST', '/contacts', { phone: '+4520304050', name: 'Ane' }));
    const [{ headers, body }] = (await hook.has(1)) as [Awaited<ReturnType<typeof hook.has>>[number]];
    const check = eventChecker();
    expect(check({ headers, body })).toBeUndefined();

    const { contact } = body.data;
    const changed = (data: object) => check({ headers, body: { ...body, data } as typeof body });
    expect(changed({ contact: { ...contact, shoe_size: 41 } })).toContain('must NOT have additional properties');
    expect(changed({ contact, shoe_size: 41 })).toContain('must NOT have additional properties');
    expect(changed({ contact: { ...contact, phone: null } })).toContain('must be string');
    expect(changed({ contact: { ...contact, phone: undefined } })).toContain("must have required property 'phone'");
    const { 'webhook-signature': _, ...unsigned } = headers;
    expect(check({ headers: unsigned, body })).toContain("must have required property 'webhook-signature'");
    expect(check({ headers, body: { ...body, event: 'contact.renamed' } })).toBe('contact.renamed is no event');
  });
});
