import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { QueryState } from '../ui/query-state.tsx';

interface Content {
  readonly title: string;
  readonly nodes: readonly Node[];
}

/** The page that came with the document, if the server rendered one; used once. */
let initial = readInitial();
const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;

/**
 * A page that the server renders, inside the application: the account's keys, sessions and security, which also work
 * without scripts. Its forms are submitted by the browser.
 */
export function ServerPage(): ReactNode {
  const [location] = useLocation();
  const path = `/dashboard${location}`;
  const query = useQuery({
    queryKey: ['server page', path],
    queryFn: () => loadContent(path),
    initialData: () => (initial?.path === path ? initial : undefined),
    // A page with a secret or an alert is not kept.
    gcTime: 0,
    structuralSharing: false,
    staleTime: 0,
    refetchOnMount: initial?.path !== path,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useEffect(() => {
    initial = undefined;
  }, []);
  const title = query.data?.title;
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
  return (
    <QueryState query={query} what="page">
      {({ nodes }) => <Nodes nodes={nodes} />}
    </QueryState>
  );
}

/** The very nodes of the page: what was typed before the application started is kept, and the focus. */
function Nodes({ nodes }: Pick<Content, 'nodes'>): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    container.current?.replaceChildren(...nodes);
    if (container.current?.contains(focused)) focused?.focus();
  }, [nodes]);
  return <div ref={container} className="server-page" />;
}

async function loadContent(path: string): Promise<Content> {
  const response = await fetch(path).catch((error: unknown) => {
    throw new ApiError(0, {}, { cause: error });
  });
  const url = new URL(response.url);
  // The sign-in page, for example.
  if (url.pathname !== path) location.assign(url);
  if (!response.ok) throw new ApiError(response.status);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return { title: page.title, nodes: [...(page.querySelector('main')?.childNodes ?? [])] };
}

function readInitial(): (Content & { path: string }) | undefined {
  const main = document.querySelector('#app > main');
  return main ? { path: location.pathname, title: document.title, nodes: [...main.childNodes] } : undefined;
}
