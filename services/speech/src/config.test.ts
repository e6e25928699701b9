import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@parley/service';
import { config } from './config.ts';

const needed = { SIGNING_KEY: 'A'.repeat(44), TRUSTED_KEYS: '{}', GRPC_LISTEN: '127.0.0.1:0' };

describe('the settings', () => {
  it('the settings use local engines by default', () => {
    const settings = loadConfig('speech', config, needed);
    expect(settings).toMatchObject({ MODELS_FETCH: 'first_need', SYNTHESES_MAX: 64, TRANSCRIPTIONS_MAX: 16 });
    expect(settings.SYNTHESIS_URL).toBeUndefined();
    expect(settings.MODELS_DIR).toMatch(/node_modules\/\.cache\/parley\/models$/);
  });

  it('the settings report the missing model of an endpoint', () => {
    const incomplete = {
      ...needed,
      SYNTHESIS_URL: 'https://api.example.com/v1',
      EMBEDDING_URL: 'https://api.example.com/v1',
    };
    expect(() => loadConfig('speech', config, incomplete)).toThrow(
      /SYNTHESIS_URL: needs SYNTHESIS_MODEL as well[^]*EMBEDDING_URL: needs EMBEDDING_MODEL/,
    );
  });
});
