import { describe, expect, it } from '@jest/globals';
import { createScriptedModels } from './scripted-models.ts';

const request = (rawBody: string) => ({ receivedAt: new Date(0), headers: {}, model: 'tiny', rawBody });

describe('scripted models', () => {
  it('scripted models keep the latest requests only, within their share of memory', () => {
    const models = createScriptedModels();
    const million = 'x'.repeat(1024 * 1024);
    for (let place = 0; place < 66; place += 1) models.record(request(`${place} ${million}`));
    const kept = models.requests('tiny').map(({ rawBody }) => Number(rawBody.split(' ')[0]));
    expect(kept).toEqual(Array.from({ length: 63 }, (_, place) => place + 3));
    for (let place = 0; place < 10_001; place += 1) models.record(request('a'));
    expect(models.requests()).toHaveLength(10_000);
  });

  it('scripted models are independent of each other, and unknown without a script', () => {
    const models = createScriptedModels();
    models.record(request('a'));
    expect(models.requests('other')).toEqual([]);
    expect(models.next('tiny', { text: '', continued: false })).toEqual({ known: false, turn: undefined });
  });
});
