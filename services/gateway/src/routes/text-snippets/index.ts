import type { Clients } from '../../peers/peers.ts';
import { createTextSnippet } from './create-text-snippet.ts';
import { deleteTextSnippet } from './delete-text-snippet.ts';
import { getTextSnippet } from './get-text-snippet.ts';
import { listTextSnippets } from './list-text-snippets.ts';
import { updateTextSnippet } from './update-text-snippet.ts';

export const textSnippetEndpoints = (clients: Clients) => [
  listTextSnippets(clients),
  createTextSnippet(clients),
  getTextSnippet(clients),
  updateTextSnippet(clients),
  deleteTextSnippet(clients),
];
