import { describe, expect, it } from '@jest/globals';
import { ApiError } from './api-error.ts';

describe('an error of the API', () => {
  it('an error of the API has the messages of a field and of the elements of its list', () => {
    const error = new ApiError(422, {
      errors: {
        events: ['must not repeat'],
        'events[0]': ['is unknown'],
        'events[12]': ['is unknown'],
        'options[1].digit': ['has already been taken'],
        options2: ['is wrong'],
      },
    });
    expect(error.errorsOf('events')).toEqual(['must not repeat', 'is unknown']);
    expect(error.errorsOf('options[1].digit')).toEqual(['has already been taken']);
    expect(error.errorsOf('options')).toBeUndefined();
    expect(error.errorsOf('name')).toBeUndefined();
  });

  it('an error of the API says what to do, with the id of the request where there is one', () => {
    expect(new ApiError(500, { request_id: 'req_1' }).message).toContain('report request req_1.');
    expect(new ApiError(502).message).toContain('tell your administrator.');
    expect(new ApiError(429).message).toContain('Wait a minute');
    expect(new ApiError(403).message).toBe('You are not allowed to do this.');
    expect(new ApiError(403, { error: 'destination_not_allowed' }).message).toContain('may not call this number');
  });

  it('an error of the API names the fields in words', () => {
    const errors = { 'menu_options[1].digit': ['is wrong'], name: ['must not be blank', 'is too short'] };
    const error = new ApiError(422, { error: 'menu_options[1].digit is wrong', errors });
    expect(error.message).toBe('Menu options 2, digit is wrong. Name must not be blank, is too short.');
  });
});
