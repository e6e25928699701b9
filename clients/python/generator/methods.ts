import {
  type ApiDocument,
  type DescribedOperation,
  type Parameter,
  pascalCase,
  resolve,
  type Schema,
  sdkOperations,
  type SdkOperation,
} from '../../typescript/generator/document.ts';
import { inputType } from './input-types.ts';
import { resultOf } from './results.ts';

/** Python's keywords that may be names of fields; they get an underscore. */
const KEYWORDS = new Set(['from', 'with', 'for', 'break', 'in', 'is', 'class', 'global', 'import', 'pass', 'return']);
/** Names of the options that every method has. */
const OPTIONS = ['timeout', 'headers'];
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** A field of the body, or a parameter of the query. */
interface Input {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** The methods as classes, for both clients, and the table of operations that they send; see `Operation` in _operations.py. */
export function resourcesText(document: ApiDocument): string {
  const operations = sdkOperations(document);
  const table = operations.map((operation) => `    "${operation.name}": ${operationText(operation, document)},\n`);
  const classes = ['', 'Async'].flatMap((prefix) => classesText(operations, document, prefix));
  return `from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from ._operations import OMIT, AsyncGroup, Group, Omit, Operation

if TYPE_CHECKING:
    from . import models
    from ._operations import AsyncCaller, Caller, Object
    from .pages import AsyncPages, Page

OPERATIONS: Mapping[str, Operation] = {
${table.join('')}}

${classes.join('\n\n')}`;
}

function operationText(operation: SdkOperation, document: ApiDocument): string {
  const { gives, list, page, model } = resultOf(operation, document);
  const takes = takesOf(operation);
  const facts = Object.entries({ list, page, gives, takes, model })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}="${value}"`);
  return `Operation("${operation.verb} ${operation.path}"${facts.join('')}${isKeyed(operation) ? ', keyed=True' : ''})`;
}

/** Groups before those that they are in, and last the class of all groups. */
function classesText(operations: readonly SdkOperation[], document: ApiDocument, prefix: string): string[] {
  const groups = new Map<string, { readonly below: Set<string>; readonly methods: string[] }>([
    ['', { below: new Set(['events']), methods: [] }],
    // It is there for `follow` in any case.
    ['events', { below: new Set(), methods: [] }],
  ]);
  for (const operation of operations) {
    const path = operation.name.split('.').slice(0, -1);
    for (let depth = 1; depth <= path.length; depth++) {
      const name = path.slice(0, depth).join('.');
      if (!groups.has(name)) groups.set(name, { below: new Set(), methods: [] });
      groups.get(path.slice(0, depth - 1).join('.'))!.below.add(name);
    }
    groups.get(path.join('.'))!.methods.push(methodText(operation, document, prefix !== ''));
  }
  const sorted = [...groups].sort(([a], [b]) => b.split('.').length - a.split('.').length || (a < b ? -1 : 1));
  const root = sorted.filter(([name]) => name === '');
  return [...sorted.filter(([name]) => name !== ''), ...root].map(([name, { below, methods }]) => {
    const members = [...below].map((child) => {
      const attribute = snakeCase(child.split('.').at(-1)!);
      return `        self.${attribute} = ${className(child, prefix)}(caller)\n`;
    });
    const init =
      members.length === 0
        ? []
        : [
            `    def __init__(self, caller: ${prefix}Caller) -> None:\n        super().__init__(caller)\n${members.join('')}`,
          ];
    const body = [...init, ...methods].join('\n') || '    """The methods of the event log."""\n';
    return `class ${className(name, prefix)}(${prefix}Group):\n${body}`;
  });
}

function className(name: string, prefix: string): string {
  return `${prefix}${name === '' ? 'Resources' : pascalCase(name)}`;
}

function methodText(operation: SdkOperation, document: ApiDocument, isAsync: boolean): string {
  const { list, gives, model, isOptional } = resultOf(operation, document);
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const takes = takesOf(operation);
  const keyed = isKeyed(operation);
  const inputs = takes === undefined ? inputsOf(operation, document) : [];
  const positional = [...ids.map((id) => `${id}: str`), ...(takes === undefined ? [] : ['file: str | bytes'])];
  const parameters = [
    'self',
    ...positional,
    ...(positional.length > 0 ? ['/'] : []),
    '*',
    ...inputs.map(({ name, type, required }) => `${pythonName(name)}: ${type}${required ? '' : ' | Omit = OMIT'}`),
    ...(keyed ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
    'headers: Mapping[str, str] | None = None',
  ];
  const single = gives === 'text' ? 'str' : gives === 'nothing' ? 'None' : `models.${model}`;
  const result = list === undefined ? single : `${isAsync ? 'AsyncPages' : 'Page'}[models.${model}]`;
  const fields = inputs.map(({ name }) => `"${name}": ${pythonName(name)}`).join(', ');
  const input = takes === undefined ? `{${fields}}` : 'file';
  const sent = [`"${operation.name}"`, `(${ids.map((id) => `${id},`).join(' ')})`, input, 'timeout', 'headers'];
  const call = `self.${list === undefined ? '_send' : '_list'}(${[...sent, ...(keyed ? ['idempotency_key'] : [])].join(', ')})`;
  const waits = isAsync && list === undefined;
  const returned = `${result}${isOptional ? ' | None' : ''}`;
  const value = `${waits ? 'await ' : ''}${call}`;
  const statements =
    result === 'None' ? `        ${value}\n` : `        result: ${returned} = ${value}\n        return result\n`;
  return `    ${waits ? 'async ' : ''}def ${snakeCase(operation.name.split('.').at(-1)!)}(${parameters.join(', ')}) -> ${returned}:
        """${documentation(operation)}"""
${statements}`;
}

function inputsOf(operation: SdkOperation, document: ApiDocument): Input[] {
  const { name: method, requestBody } = operation;
  const inputs = WITH_BODY.includes(operation.verb)
    ? bodyInputs(Object.values(requestBody?.content ?? {})[0]?.schema, document)
    : (operation.parameters ?? []).filter(({ in: where }) => where === 'query').map(queryInput);
  const own = inputs.filter(({ name }) => !(name === 'idempotency_key' && isKeyed(operation)));
  for (const { name } of own)
    if (OPTIONS.includes(name)) throw new Error(`${method} has a field ${name}, as its options have`);
  return own.sort((a, b) => Number(b.required) - Number(a.required));
}

/** The fields of an object, or of all variants of one; required are those that all of them require. */
function bodyInputs(schema: Schema | undefined, document: ApiDocument): Input[] {
  const body = resolve(schema, document);
  const variants = ((body['oneOf'] as readonly Schema[] | undefined) ?? [body]).map((one) => resolve(one, document));
  const names = new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const schemas = variants.map(({ properties }) => properties?.[name]).filter((schema) => schema !== undefined);
    const required = variants.every((variant) => (variant['required'] as string[] | undefined)?.includes(name));
    return { name, type: inputType(schemas, document), required };
  });
}

/** Numbers are written as text in a query; lists with commas. */
function queryInput({ name, schema, description = '', required = false }: Parameter): Input {
  const isNumber = String(schema['pattern'] ?? '').startsWith(String.raw`^[+-]?\d`);
  if (isNumber) return { name, type: 'int | str', required };
  const isList = /separated by commas|comma-separated/.test(description);
  const type = inputType([{ ...schema, description }]);
  return { name, type: isList ? 'str | Sequence[str]' : type, required };
}

function documentation({ summary, description }: DescribedOperation): string {
  const text = description === undefined ? `${summary}.` : `${summary}. ${description}`;
  return text.replaceAll('\\', '\\\\').replaceAll('"', "'").replaceAll(/\s+/g, ' ');
}

/** The media type of a body that is not JSON; the only bodies of any type are those of contacts that are imported. */
function takesOf({ requestBody }: DescribedOperation): string | undefined {
  const mediaTypes = Object.keys(requestBody?.content ?? {});
  if (mediaTypes.length === 0 || mediaTypes.includes('application/json')) return undefined;
  return mediaTypes[0] === '*/*' ? 'text/csv' : mediaTypes[0];
}

function isKeyed({ parameters = [] }: DescribedOperation): boolean {
  return parameters.some(({ in: where, name }) => where === 'header' && name === 'idempotency-key');
}

function pythonName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
