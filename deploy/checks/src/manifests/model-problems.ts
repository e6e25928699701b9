import { nameOf, type Manifest } from './manifest.ts';
import { type FieldMap, fieldMapOf, kubernetesModels } from './model.ts';

/** Reports what Kubernetes would refuse in an object, or silently drop: unknown fields, wrong types, missing fields. */
export async function modelProblems(object: Manifest): Promise<string[]> {
  const model = kubernetesModels[`${object.apiVersion} ${object.kind}`];
  if (!model) return [`${nameOf(object)}: no model for ${object.apiVersion} ${object.kind}`];
  const problems = model.fields ? await fieldProblems(object, model.fields, nameOf(object)) : [];
  try {
    model.validate(object);
  } catch (error) {
    problems.push(`${nameOf(object)}: ${(error as Error).message}`);
  }
  return problems;
}

async function fieldProblems(value: object, fields: FieldMap, path: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.attributeTypeMap.find(({ baseName }) => baseName === name);
    if (field) problems.push(...(await typeProblems(inner, field.type, field.format, `${path}.${name}`)));
    else problems.push(`${path}.${name}: no such field`);
  }
  return problems;
}

async function typeProblems(value: unknown, type: string, format: string, path: string): Promise<string[]> {
  const wrong = [`${path}: ${JSON.stringify(value)} is not ${type}`];
  if (type === 'any') return [];
  if (type === 'string' || type === 'boolean') return typeof value === type ? [] : wrong;
  if (type === 'number')
    return typeof value === 'number' && (!format.startsWith('int') || Number.isInteger(value)) ? [] : wrong;
  if (type === 'IntOrString') return typeof value === 'string' || Number.isInteger(value) ? [] : wrong;
  const element = /^Array<(.+)>$/.exec(type)?.[1];
  if (element) {
    if (!Array.isArray(value)) return wrong;
    return (
      await Promise.all(value.map((inner, index) => typeProblems(inner, element, format, `${path}[${index}]`)))
    ).flat();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const entry = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (entry)
    return (
      await Promise.all(
        Object.entries(value).map(([name, inner]) => typeProblems(inner, entry, format, `${path}.${name}`)),
      )
    ).flat();
  const fields = await fieldMapOf(type);
  return fields ? fieldProblems(value, fields, path) : [`${path}: no model for ${type}`];
}
