import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from '@jest/globals';
import { type Helm, obtainHelm } from './helm.ts';
import { type Manifest, parseManifests } from './manifest.ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const chart = path.join(root, 'helm/parley');
export const casesDir = fileURLToPath(new URL('cases', import.meta.url));

const source = await obtainHelm(path.join(root, 'node_modules/.cache/parley/helm'));
export const helm: Helm = 'helm' in source ? source.helm : () => Promise.reject(new Error(source.unavailable));

/** A test that needs helm; without helm it is reported as skipped, and `reportSkippedChecks` logs the reason. */
export function itWithHelm(...test: Parameters<typeof it.skip>): void {
  if ('helm' in source) it(...test);
  else it.skip(...test);
}

export function reportSkippedChecks(checks: string): void {
  if ('unavailable' in source) process.stderr.write(`left out: ${checks}: ${source.unavailable}\n`);
}

/** The chart with the values of one case, or of one of its own values files after what these leave to the operator, and more arguments. */
export async function render(name: string, ...more: string[]): Promise<Manifest[]> {
  const answer = await helm(
    'template',
    'parley',
    chart,
    '--namespace',
    'phone',
    '--kube-version',
    '1.36.0',
    ...valuesOf(name),
    ...more,
  );
  if (!answer.ok) throw new Error(answer.stderr);
  return parseManifests(answer.stdout);
}

export function valuesOf(name: string): string[] {
  if (!name.startsWith('values/')) return ['--values', path.join(casesDir, name)];
  return [...valuesOf('defaults.yaml'), '--values', path.join(chart, name)];
}

/** Secrets that a case expects from elsewhere. */
const outsideSecrets: Record<string, RegExp> = {
  'everything.yaml': /^(gateway-secrets|identity-secrets|identity-certificate|phone-[a-z-]+-mtls)$/,
  'mutual-tls.yaml': /^parley-[a-z-]+-tls$/,
  'values/ten-thousand-employees.yaml': /^parley-[a-z-]+-tls$/,
  'add-ons.yaml': /^(own-reports|parley-[a-z-]+-external)$/,
};

export function isOutsideSecret(name: string): (secret: string) => boolean {
  return (secret) => outsideSecrets[name]?.test(secret) ?? false;
}
