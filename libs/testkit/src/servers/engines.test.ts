import { describe, expect, it } from '@jest/globals';
import { startContainers } from './containers.ts';
import { chosenEngines } from './engines.ts';

describe('the engines of a test run', () => {
  it('the engines of a test run are the embedded ones, unless containers are requested', () => {
    expect([undefined, '', 'embedded'].map(chosenEngines)).toEqual(['embedded', 'embedded', 'embedded']);
    expect(chosenEngines('containers')).toBe('containers');
    expect(() => chosenEngines('docker')).toThrow("PARLEY_TEST_ENGINES must be embedded or containers, not 'docker'");
  });

  it('the engines of a test run report what is missing without Docker', async () => {
    const noDocker = () => Promise.reject(new Error('Could not find a working container runtime strategy'));
    await expect(startContainers(noDocker)).rejects.toThrow(
      'PARLEY_TEST_ENGINES=containers needs a running Docker: Could not find a working container runtime strategy. ' +
        'Without the setting the tests run on the embedded engines.',
    );
  });

  it('the engines of a test run pass on every other failure as it is', async () => {
    const failing = () => Promise.reject(new Error('no such image: mongo:8.0'));
    await expect(startContainers(failing)).rejects.toThrow(/^no such image: mongo:8.0$/);
  });
});
