import type { V1Deployment } from '@kubernetes/client-node';
import type { Compose } from './compose-problems.ts';
import { type Manifest, ofKind } from './manifest.ts';

type Environment = Record<string, string>;

/** The environment of a rendered Deployment's container, Secrets opened. */
export function deploymentEnvironment(deployment: V1Deployment, objects: Manifest[]): Environment {
  const [container] = deployment.spec?.template.spec?.containers ?? [];
  const config = (name: string | undefined) =>
    ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata?.name === name)?.data ?? {};
  const secret = (name: string | undefined) =>
    ofKind(objects, 'Secret').find(({ metadata }) => metadata?.name === name)?.data ?? {};
  const variables = (container?.env ?? []).map(({ name, value, valueFrom }) => {
    const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    if (configMapKeyRef) return [name, config(configMapKeyRef.name)[configMapKeyRef.key] ?? ''];
    if (secretKeyRef)
      return [name, Buffer.from(secret(secretKeyRef.name)[secretKeyRef.key] ?? '', 'base64').toString()];
    return [name, value ?? ''];
  });
  return Object.assign(
    {},
    ...(container?.envFrom ?? []).map((source) => config(source.configMapRef?.name)),
    Object.fromEntries(variables),
  );
}

/** The environment of a compose service, with the variables of an env file put in as compose does. */
export function composeEnvironment(compose: Compose, service: string, env: Environment): Environment {
  const filled = (text: string) =>
    text.replaceAll(
      /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
      (_, name: string, operator?: string, rest = '') => env[name] || (operator === '-' ? rest : ''),
    );
  return Object.fromEntries(
    Object.entries(compose.services[service]?.environment ?? {}).map(([name, value]) => [name, filled(String(value))]),
  );
}

/** Variables of an env file; values in single quotes are literal. */
export function parseEnvFile(text: string): Environment {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)=(?:'(.*)'|(.*))$/gm)].map(([, name, quoted, plain]) => [name, quoted ?? plain ?? '']),
  );
}
