import { createSchemaRegistry, type Markup, markup } from '@parley/http';
import type { DescribedEvent } from '@parley/public-json';
import { deliveredEvents, deliveryHeaders, examples, wholeDescription } from '../described-events.ts';
import { docsPage } from '../docs-page.ts';
import { type FieldRow, fieldRows } from './field-rows.ts';

const INTRODUCTION = [
  'A webhook receives every event whose type it names as a request: POST, with JSON as its body.',
  'Answer with a status of 2xx within 15 seconds. Anything else, and no answer, is repeated up to five times over about seven and a half hours; then the delivery has failed, and can be sent again.',
  'Deliveries are made at least once, so that the same one may come again: `webhook-id` is the same then. Events of one call, contact, employee, text, thread or number come in the order in which they happened.',
  'What a receiver has missed is in the event log for 30 days: `GET /api/v1/events`, where the event has the `id` of `parley-event-id`.',
  'Ignore fields and types of events that you do not know: there will be more of them.',
];

/** All events: when they happen, their fields and an example of each. */
export function eventsPage(): string {
  const schemas = createSchemaRegistry();
  const events = deliveredEvents.map((event) => ({ event, schema: schemas.describe(event.schema, 'output') }));
  const headers = schemas.describe(deliveryHeaders, 'output');
  const components = schemas.components();
  const sections = events.map(({ event, schema }) => eventSection(event, fieldRows(schema, components)));
  return docsPage({
    title: 'Events',
    root: '..',
    introduction: markup`${INTRODUCTION.map((paragraph) => markup`<p>${withCode(paragraph)}</p>\n`)}
<h2 id="headers">Header fields</h2>
<p>Signatures are those of <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: verify them with the secret of the webhook before anything else.</p>
${fieldTable(fieldRows(headers, components), 'Header field')}`,
    contents: deliveredEvents.map(({ type }) => ({ id: type, text: type })),
    sections,
  });
}

function eventSection(event: DescribedEvent, rows: readonly FieldRow[]): Markup {
  const { type } = event;
  const example = examples.webhooks[type];
  return markup`<section aria-labelledby="${type}"><h2 id="${type}"><a href="#${type}"><code>${type}</code></a></h2>
<p>${withCode(wholeDescription(event))}</p>
<details><summary>Fields</summary>${fieldTable(rows, 'Field')}</details>
${example && markup`<details><summary>Example</summary><pre tabindex="0"><code>${JSON.stringify(example.body, null, 2)}</code></pre></details>`}
</section>
`;
}

function fieldTable(rows: readonly FieldRow[], heading: string): Markup {
  return markup`<table><thead><tr><th scope="col">${heading}</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(
    ({ path, type, description }) =>
      markup`<tr><th scope="row"><code>${path}</code></th><td>${type}</td><td>${withCode(description)}</td></tr>\n`,
  )}</tbody></table>`;
}

/** What is between backticks as code. */
function withCode(text: string): Markup {
  return markup`${text.split('`').map((part, index) => (index % 2 === 0 ? part : markup`<code>${part}</code>`))}`;
}
