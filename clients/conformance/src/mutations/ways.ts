import type { Answer, Exchange, Mutation, SeenRequest } from './mutation.ts';

type ChangeAnswer = NonNullable<Mutation['answer']>;
type ChangeRequest = NonNullable<Mutation['request']>;
type Values = Record<string, unknown>;

/** Another status than the one that is right; other answers stay. */
export function statusInstead(right: number, wrong: number): ChangeAnswer {
  return (answer) => (answer.status === right ? { ...answer, status: wrong } : answer);
}

/** Changes the body of successful answers. */
export function changeBody(change: (body: any, exchange: Exchange) => unknown): ChangeAnswer {
  return (answer, exchange) =>
    answer.status < 300 && answer.body !== '' ? { ...answer, body: change(answer.body, exchange) } : answer;
}

/** Changes every object of a successful answer that has a field: of lists and of what is inside, too. */
export function changeField(name: string, change: (value: any, object: any) => unknown): ChangeAnswer {
  return changeBody((body) =>
    everywhere(body, (object) => ({ ...object, [name]: change(object[name], object) }), name),
  );
}

export function withoutField(name: string): ChangeAnswer {
  return changeBody((body) => everywhere(body, ({ [name]: _, ...others }) => others, name));
}

/** A list in another order: the body, or the list under a key of it. */
export function reversed(key?: string): ChangeAnswer {
  const turn = (list: unknown) => (Array.isArray(list) ? list.toReversed() : list);
  return changeBody((body) => (key === undefined ? turn(body) : { ...body, [key]: turn(body[key]) }));
}

export function withHeader(name: string, value: string | undefined): ChangeAnswer {
  return (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } });
}

/** What another request was answered, instead of a refusal: somebody else's object, or what a rule should have refused. */
export function seenInstead(refused: number, status: number, requestOf: (exchange: Exchange) => string): ChangeAnswer {
  return (answer, exchange) => {
    const seen = answer.status === refused ? exchange.seen(requestOf(exchange)) : undefined;
    return seen ? { ...seen, status } : answer;
  };
}

/** A body of one's own, instead of a refusal. */
export function acceptedInstead(
  refused: number,
  status: number,
  body: (request: SeenRequest) => unknown,
): ChangeAnswer {
  return (answer, { request }) => (answer.status === refused ? json(status, body(request)) : answer);
}

export function json(status: number, body: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** A parameter that the server does not look at. */
export function withoutParameter(name: string): ChangeRequest {
  return (request) => {
    const query = new URLSearchParams(request.query);
    query.delete(name);
    return { ...request, query };
  };
}

/** A field that arrives otherwise than it was sent: a limit that is not kept. */
export function changeSent(name: string, change: (value: unknown, body: any) => unknown): ChangeRequest {
  return (request) => {
    const { body } = request;
    if (!isObject(body) || !Object.hasOwn(body, name)) return request;
    const value = change(body[name], body);
    const { [name]: _, ...others } = body;
    return { ...request, body: value === undefined ? others : { ...others, [name]: value } };
  };
}

function isObject(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function everywhere(value: unknown, change: (object: any) => unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => everywhere(entry, change, name));
  if (!isObject(value)) return value;
  const inside = Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, everywhere(entry, change, name)]),
  );
  return Object.hasOwn(inside, name) ? change(inside) : inside;
}
