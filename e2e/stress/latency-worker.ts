// Measures requests one after the other in a thread of its own, so that what else the scenario does is not measured with them.
import { parentPort, workerData } from 'node:worker_threads';

const { url, apiKey, samples } = workerData as { url: string; apiKey: string; samples: number };
const times: number[] = [];
for (let sample = 0; sample < samples; sample++) {
  const started = performance.now();
  const response = await fetch(url, { headers: { 'X-Api-Key': apiKey } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
  times.push(performance.now() - started);
}
parentPort?.postMessage(times);
