import { expect } from '@jest/globals';

/** The shape of a protocol error, with any description. */
export const oauthError = (error: string) => ({ error, error_description: expect.any(String) });
