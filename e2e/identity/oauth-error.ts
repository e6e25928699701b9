import { expect } from '@jest/globals';

/** What a protocol error looks like, whatever its words. */
export const oauthError = (error: string) => ({ error, error_description: expect.any(String) });
