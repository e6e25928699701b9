import { Recording } from '../recording.ts';
import { type ApiCommand, firstWord } from './command.ts';

const FAILED_PUT = '-ERR http_put Command not found!\n';

const record: ApiCommand = (network, args) => {
  const [uuid = '', action = '', path = ''] = args.trim().split(/\s+/);
  const channel = network.channels.get(uuid);
  if (!channel || channel.hungUp) return '-ERR Cannot locate session!\n';
  if (path === '') return '-USAGE: <uuid> [start|stop|mask|unmask] <path> [<limit>] [<recording_vars>]\n';
  const running = channel.recordings.get(path);
  switch (action) {
    case 'start':
      if (!path.endsWith('.wav')) return '-ERR Cannot record session!\n';
      if (!running) new Recording(channel, network.files, path);
      return '+OK Success\n';
    case 'stop':
      if (!running) return '-ERR Cannot stop record session!\n';
      running.stop();
      return '+OK Success\n';
    case 'mask':
    case 'unmask':
      if (!running) return '-ERR Cannot mask recording session!\n';
      running.mask(action === 'mask');
      return '+OK Success\n';
    default:
      return '-USAGE: <uuid> [start|stop|mask|unmask] <path> [<limit>] [<recording_vars>]\n';
  }
};

/** Any failure has the response of an unknown command; an empty file is not sent. */
const httpPut: ApiCommand = async (network, args) => {
  const words = args.trim().split(/\s+/);
  const [url = '', file = ''] = words;
  if (words.length !== 2) return 'USAGE: {param=val}<url> <file>\n';
  const content = network.files.read(file);
  if (!content) return FAILED_PUT;
  if (content.length === 0) return '+OK 0\n';
  try {
    const type = file.endsWith('.wav') ? 'audio/wav' : 'application/octet-stream';
    const status = await network.core.during(() => network.http.put(url, content, type));
    return [200, 201, 202, 204].includes(status) ? `+OK ${status}\n` : FAILED_PUT;
  } catch {
    return FAILED_PUT;
  }
};

const httpGet: ApiCommand = async (network, args) => {
  const url = args.trim();
  return (await network.cache.get(url)) ? `/cache/${encodeURIComponent(url)}` : '-ERR http_get Command not found!\n';
};

export const recordingCommands: Readonly<Record<string, ApiCommand>> = {
  uuid_record: record,
  http_put: httpPut,
  http_get: httpGet,
  http_prefetch: (network, args) => {
    network.core.detach(network.cache.get(args.trim()));
    return '+OK\n';
  },
  http_tryget: (network, args) =>
    network.cache.has(args.trim()) ? `/cache/${encodeURIComponent(args.trim())}` : '-ERR download\n',
  http_remove_cache: (network, args) => {
    network.cache.remove(args.trim());
    return '+OK\n';
  },
  http_clear_cache: (network) => {
    network.cache.clear();
    return '+OK\n';
  },
  file_exists: (network, args) => String(network.files.exists(firstWord(args.trim())[0])),
};
