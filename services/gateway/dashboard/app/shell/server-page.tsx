import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { queryClient } from '../api/query-client.ts';
import { softphone } from '../phone/softphone.ts';
import { showValues, valuesIn } from '../ui/form-values.ts';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { dateAndTime } from '../i18n/format.ts';
import { inPageTarget } from './in-page-target.ts';

interface Content {
  readonly title: string;
  readonly nodes: readonly Node[];
  /** Without the application around it, as while the session changes: its links load the document again. */
  readonly isStandalone: boolean;
}

/** The page that came with the document, if the server rendered one; used once. */
let initial = readInitial();
const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;

const keyOf = (path: string) => ['server page', path];

/**
 * A page that the server renders, inside the application: the account's keys, sessions and security, which also work
 * without scripts. Its forms are submitted by the browser, but not during a call, which that would interrupt.
 */
export function ServerPage(): ReactNode {
  const [location, navigate] = useLocation();
  const [error, setError] = useState<unknown>();
  const path = `/dashboard${location}`;
  const query = useQuery({
    queryKey: keyOf(path),
    queryFn: () => loadContent(path),
    initialData: () => (initial?.path === path ? initial : undefined),
    // A page with a secret or an alert is not kept.
    gcTime: 0,
    structuralSharing: false,
    // Never fetched again while it is shown: that would lose what was typed and the secret of a second factor.
    staleTime: 'static',
  });
  useEffect(() => {
    initial = undefined;
  }, []);
  const title = query.data?.title;
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);

  const isSubmitting = useRef(false);
  async function submit(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    setError(undefined);
    try {
      const content = await submitForm(form, submitter, path);
      if (content) {
        queryClient.setQueryData(keyOf(path), content);
        requestAnimationFrame(() => focusResult());
      }
    } catch (failure) {
      setError(failure);
    } finally {
      isSubmitting.current = false;
    }
  }
  return (
    <QueryState query={query} what="page">
      {({ nodes, isStandalone }) => (
        <>
          {error !== undefined && <Failure error={error} />}
          <Nodes
            nodes={nodes}
            onSubmit={submit}
            onFollow={isStandalone ? undefined : (target) => navigate(`~${target}`)}
          />
        </>
      )}
    </QueryState>
  );
}

/** The very nodes of the page: what was typed before the application started is kept, and the focus. */
function Nodes(props: {
  nodes: readonly Node[];
  onSubmit: (form: HTMLFormElement, submitter: HTMLElement | null) => Promise<void>;
  onFollow: ((path: string) => void) | undefined;
}): ReactNode {
  const { nodes } = props;
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    container.current?.replaceChildren(...nodes);
    for (const time of container.current?.querySelectorAll('time') ?? [])
      time.textContent = dateAndTime(new Date(time.dateTime));
    if (container.current?.contains(focused)) focused?.focus();
  }, [nodes]);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const onSubmit = (event: SubmitEvent): void => {
      const form = event.target as HTMLFormElement;
      if (softphone.current().call === null || opensSession(form)) return;
      event.preventDefault();
      void props.onSubmit(form, event.submitter);
    };
    const onClick = (event: MouseEvent): void => {
      const target = props.onFollow && inPageTarget(event);
      if (target === undefined) return;
      event.preventDefault();
      props.onFollow?.(target);
    };
    element.addEventListener('submit', onSubmit);
    element.addEventListener('click', onClick);
    return () => {
      element.removeEventListener('submit', onSubmit);
      element.removeEventListener('click', onClick);
    };
  });
  return <div ref={container} className="server-page" data-scroller />;
}

/** A new password begins a new session: the document is loaded again with it. */
function opensSession(form: HTMLFormElement): boolean {
  return new URL(form.action).pathname === '/dashboard/password';
}

/** The page that answers a form; undefined when another document is loaded. What was typed is shown again unless it was accepted. */
async function submitForm(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  path: string,
): Promise<Content | undefined> {
  const typed = valuesIn(form);
  const body = new URLSearchParams(
    [...new FormData(form, submitter)].map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await send(form.action, { method: 'POST', body });
  const url = new URL(response.url);
  if (response.redirected && url.pathname !== path) {
    location.assign(url);
    return undefined;
  }
  const content = await readContent(response);
  if (content.nodes.length === 0) throw new ApiError(response.status);
  if (response.ok) return content;
  for (const node of content.nodes) {
    if (!(node instanceof Element)) continue;
    const forms = node instanceof HTMLFormElement ? [node] : node.querySelectorAll('form');
    const { form_token: _token, ...shown } = typed;
    for (const same of forms) if (same.action === form.action) showValues(same, shown);
  }
  return content;
}

/** A message or a new secret gets the focus, otherwise the heading. */
function focusResult(): void {
  const page = document.querySelector('.server-page');
  const target = page?.querySelector<HTMLElement>('[role=status] textarea') ?? page?.querySelector<HTMLElement>('h1');
  if (target?.tagName === 'H1') target.tabIndex = -1;
  target?.focus();
}

async function loadContent(path: string): Promise<Content> {
  const response = await send(path);
  const url = new URL(response.url);
  // The sign-in page, for example.
  if (url.pathname !== path) location.assign(url);
  if (!response.ok) throw new ApiError(response.status);
  return readContent(response);
}

async function send(address: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    throw new ApiError(0, {}, { cause: error });
  }
}

async function readContent(response: Response): Promise<Content> {
  // Its styles are for the page alone, and the policy of this one would report them.
  const text = (await response.text()).replaceAll(/<style>.*?<\/style>/gs, '');
  const page = new DOMParser().parseFromString(text, 'text/html');
  return {
    title: page.title,
    nodes: [...(page.querySelector('main')?.childNodes ?? [])],
    isStandalone: page.querySelector('#app') === null,
  };
}

function readInitial(): (Content & { path: string }) | undefined {
  const main = document.querySelector('#app > main');
  if (!main) return undefined;
  // The response to a form may have its address, where a reload would find nothing.
  const path = location.pathname.split('/', 3).join('/');
  if (path !== location.pathname) history.replaceState(history.state, '', path);
  return { path, title: document.title, nodes: [...main.childNodes], isStandalone: false };
}
