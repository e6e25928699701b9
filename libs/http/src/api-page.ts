import { createHash } from 'node:crypto';
import { curlExample } from './api-page-example.ts';
import { notesMarkup, schemaMarkup, typeMarkup } from './api-page-schema.ts';
import { apiPageStyle } from './api-page-style.ts';
import { type Markup, markup, prose } from './markup.ts';
import type { Content, OpenApiDocument, Operation, Parameter, Reference, ResponseEntry } from './openapi-document.ts';

/** The page has no script and one style, so this is all it needs to be allowed. Send it as `Content-Security-Policy`. */
export const apiPageSecurityPolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(apiPageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** One page for people, from the document for machines. */
export function renderApiPage(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const groups = tags
    .map((tag) => ({
      tag,
      operations: operationsOf(document).filter(({ operation }) => operation.tags[0] === tag.name),
    }))
    .filter(({ operations }) => operations.length > 0);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<style>${{ html: apiPageStyle }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><h1>${info.title}</h1><p>Version ${info.version} · OpenAPI ${document.openapi}</p></header>
<nav aria-label="Endpoints">
<details class="menu"><summary>Endpoints</summary>
${groups.map(
  ({ tag, operations }) => markup`<h2><a href="#tag-${anchor(tag.name)}">${tag.name}</a></h2>
<ul>${operations.map(
    ({ method, operation }) =>
      markup`<li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span> <span>${operation.summary}</span></a></li>`,
  )}</ul>`,
)}
<h2><a href="#schemas">Schemas</a></h2>
</details>
</nav>
<main id="content">
${info.description && markup`<p class="lead">${prose(info.description)}</p>`}
${securityMarkup(document)}
${groups.map(
  ({ tag, operations }) => markup`<section aria-labelledby="tag-${anchor(tag.name)}">
<h2 id="tag-${anchor(tag.name)}">${tag.name}</h2>
${tag.description && markup`<p>${prose(tag.description)}</p>`}
${operations.map((placed) => operationMarkup(placed, document))}
</section>`,
)}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => markup`<article aria-labelledby="schema-${name}"><h3 id="schema-${name}">${name}</h3>
<p class="type">${typeMarkup(schema)}</p>${notesMarkup(schema)}${schemaMarkup(schema)}</article>`,
)}
</section>
</main>
</body>
</html>
`;
  return page.html;
}

function operationsOf(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function operationMarkup({ method, path, operation }: PlacedOperation, document: OpenApiDocument): Markup {
  const { parameters = [], requestBody, responses } = operation;
  return markup`<article aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}">${operation.summary}${operation.deprecated && markup` <span class="optional">deprecated</span>`}</h3>
<p class="endpoint"><span class="method ${method}">${method}</span> <code>${path}</code></p>
${operation.description && markup`<p>${prose(operation.description)}</p>`}
${parameters.length > 0 && markup`<h4>Parameters</h4><dl class="fields">${parameters.map(parameterMarkup)}</dl>`}
${requestBody && markup`<h4>Body${!requestBody.required && markup` <span class="optional">optional</span>`}</h4>${contentMarkup(requestBody.content, document.components.schemas)}`}
<h4>Answers</h4>
${Object.entries(responses).map(([status, response]) => responseMarkup(status, response, document))}
<h4>Example</h4>
<pre tabindex="0"><code>${curlExample(document, method, path, operation)}</code></pre>
</article>`;
}

function parameterMarkup({ name, in: place, required, description, schema }: Parameter): Markup {
  return markup`<div><dt><code>${name}</code> <span class="type">${typeMarkup(schema)}</span> <span class="place">${place}</span>${
    !required && markup` <span class="optional">optional</span>`
  }</dt><dd>${description && markup`<p>${prose(description)}</p>`}${notesMarkup(schema)}</dd></div>`;
}

function responseMarkup(status: string, given: ResponseEntry | Reference, document: OpenApiDocument): Markup {
  const response = '$ref' in given ? document.components.responses[given.$ref.slice(RESPONSES.length)] : given;
  if (response === undefined) return markup``;
  const kind = status.startsWith('2') ? 'good' : status.startsWith('3') ? 'other' : 'bad';
  return markup`<details class="answer"${kind === 'good' && ' open'}><summary><span class="status ${kind}">${status}</span> ${prose(response.description)}</summary>
${response.content ? contentMarkup(response.content) : markup`<p>No body.</p>`}</details>`;
}

const RESPONSES = '#/components/responses/';

/** With `named`, the fields of a named schema stand here as well: what to send is worth saying twice. */
function contentMarkup(content: Content, named: OpenApiDocument['components']['schemas'] = {}): Markup {
  return markup`${Object.entries(content).map(([type, { schema }]) => {
    const known = typeof schema.$ref === 'string' ? named[schema.$ref.slice(SCHEMAS.length)] : undefined;
    const heading = Object.keys(schema).length > 0 && typeMarkup(schema);
    return markup`<p class="type"><code>${type}</code> ${heading}</p>${schemaMarkup(known ?? schema)}`;
  })}`;
}

const SCHEMAS = '#/components/schemas/';

function securityMarkup({ components }: OpenApiDocument): Markup {
  const schemes = Object.entries(components.securitySchemes ?? {});
  if (schemes.length === 0) return markup``;
  return markup`<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2><dl class="fields">${schemes.map(
    ([name, scheme]) => markup`<div><dt><code>${name}</code> <span class="type">${String(scheme.type)}</span></dt>
<dd>${typeof scheme.description === 'string' && markup`<p>${prose(scheme.description)}</p>`}</dd></div>`,
  )}</dl></section>`;
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
