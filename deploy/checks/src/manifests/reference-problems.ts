import type { V1Container, V1Deployment } from '@kubernetes/client-node';
import { type Manifest, nameOf, ofKind } from './manifest.ts';

/**
 * Dangling references: a variable or a volume whose Secret, ConfigMap or key is not rendered. `isOutside` matches
 * external Secrets, whose keys cannot be checked.
 */
export function referenceProblems(objects: Manifest[], isOutside: (secret: string) => boolean): string[] {
  return ofKind(objects, 'Deployment').flatMap((deployment) => {
    const pod = deployment.spec?.template.spec;
    const accounts = ofKind(objects, 'ServiceAccount').map((account) => account.metadata?.name);
    const missing = [...(pod?.containers ?? []).flatMap(variableReferences), ...volumeReferences(deployment)].filter(
      (reference) => !resolves(reference, objects, isOutside),
    );
    return [
      ...missing.map(
        ({ kind, name, key }) =>
          `${nameOf(deployment)}: ${kind} ${name}${key ? ` has no key ${key}` : ' does not exist'}`,
      ),
      ...(accounts.includes(pod?.serviceAccountName)
        ? []
        : [`${nameOf(deployment)}: ServiceAccount ${pod?.serviceAccountName} does not exist`]),
    ];
  });
}

interface Reference {
  kind: 'Secret' | 'ConfigMap';
  name: string | undefined;
  key?: string;
}

function variableReferences(container: V1Container): Reference[] {
  return [
    ...(container.env ?? []).flatMap(({ valueFrom }): Reference[] => [
      ...(valueFrom?.secretKeyRef
        ? [{ kind: 'Secret' as const, name: valueFrom.secretKeyRef.name, key: valueFrom.secretKeyRef.key }]
        : []),
      ...(valueFrom?.configMapKeyRef
        ? [{ kind: 'ConfigMap' as const, name: valueFrom.configMapKeyRef.name, key: valueFrom.configMapKeyRef.key }]
        : []),
    ]),
    ...(container.envFrom ?? []).flatMap(({ secretRef, configMapRef }): Reference[] => [
      ...(secretRef ? [{ kind: 'Secret' as const, name: secretRef.name }] : []),
      ...(configMapRef ? [{ kind: 'ConfigMap' as const, name: configMapRef.name }] : []),
    ]),
  ];
}

function volumeReferences(deployment: V1Deployment): Reference[] {
  return (deployment.spec?.template.spec?.volumes ?? []).flatMap(({ secret, configMap }): Reference[] => [
    ...(secret
      ? (secret.items ?? [{ key: undefined }]).map(({ key }) => ({
          kind: 'Secret' as const,
          name: secret.secretName,
          ...(key && { key }),
        }))
      : []),
    ...(configMap ? [{ kind: 'ConfigMap' as const, name: configMap.name }] : []),
  ]);
}

function resolves(
  { kind, name, key }: Reference,
  objects: Manifest[],
  isOutside: (secret: string) => boolean,
): boolean {
  const target = [...ofKind(objects, 'Secret'), ...ofKind(objects, 'ConfigMap')].find(
    (object) => object.kind === kind && object.metadata?.name === name,
  );
  if (!target) return kind === 'Secret' && isOutside(name ?? '');
  return key === undefined || key in (target.data ?? {});
}
