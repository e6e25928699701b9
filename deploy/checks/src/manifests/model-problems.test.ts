import { describe, expect, it } from '@jest/globals';
import type { Manifest } from './manifest.ts';
import { modelProblems } from './model-problems.ts';

const deployment = (container: object, spec: object = {}): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'x', image: 'x:1', ...container }] } },
    ...spec,
  },
});

describe('an object beside the Kubernetes models', () => {
  it('an object beside the Kubernetes models passes when every field is known and of its type', async () => {
    expect(
      await modelProblems(
        deployment({ ports: [{ containerPort: 1, name: 'grpc' }], resources: { limits: { cpu: '1' } } }),
      ),
    ).toEqual([]);
  });

  it.each<[string, Manifest, string]>([
    [
      'a misspelt field deep inside',
      deployment({ ports: [{ containerPrt: 1 }] }),
      'containers[0].ports[0].containerPrt: no such field',
    ],
    ['a text where a number belongs', deployment({}, { replicas: '2' }), 'spec.replicas: "2" is not number'],
    ['half a replica', deployment({}, { replicas: 1.5 }), 'spec.replicas: 1.5 is not number'],
    [
      'a list where an object belongs',
      deployment({ securityContext: [] }),
      'securityContext: [] is not V1SecurityContext',
    ],
    ['an object where a list belongs', deployment({ env: { A: 'b' } }), 'env: {"A":"b"} is not Array<V1EnvVar>'],
    [
      'a number as a label',
      deployment({}, { selector: { matchLabels: { app: 1 } } }),
      'matchLabels.app: 1 is not string',
    ],
    ['a value left empty', deployment({ env: null }), 'env: null is not Array<V1EnvVar>'],
    ['a required field that is missing', deployment({}, { selector: undefined }), 'selector'],
    [
      'a kind that does not exist',
      { apiVersion: 'apps/v1beta9', kind: 'Deployment', metadata: { name: 'x' } },
      'no model for apps/v1beta9 Deployment',
    ],
  ])('an object beside the Kubernetes models is refused with %s', async (_, object, problem) => {
    expect((await modelProblems(object)).join('\n')).toContain(problem);
  });
});
