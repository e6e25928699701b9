import { describe, expect, it } from '@jest/globals';
import { eventTypes } from '@parley/public-json';
import { isEventName } from '../subscriptions/subscription.ts';
import { describedTypes, typesNamed } from './event-types.ts';

describe('types of events', () => {
  it('types of events are described in the order of the documentation, with the names that webhooks may use', () => {
    expect(describedTypes().map(({ name }) => name)).toEqual(eventTypes);
    for (const { description, formerNames } of describedTypes()) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(formerNames.every(isEventName)).toBe(true);
    }
  });

  it.each([
    ['contact.created', ['contact.created']],
    ['call.outside_opening_hours', ['call.outside_business_hours']],
    ['contact.*', ['contact.created', 'contact.updated', 'contact.deleted']],
    ['employee.*', ['employee.status.changed']],
  ])('%s names %j', (name, types) => {
    expect(typesNamed(name)).toEqual(types);
  });

  it.each(['contact', 'contact.', 'fax.*', '*', '.*', 'call.outside', 'webhook.test'])('%s names no type', (name) => {
    expect(typesNamed(name)).toBeUndefined();
  });
});
