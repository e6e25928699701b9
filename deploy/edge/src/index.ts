export { readEdgeSettings } from './edge-settings.ts';
export { writeEdge } from './render-edge.ts';
