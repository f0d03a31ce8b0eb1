/** [pure] Takes server-sent events apart, however the bytes were cut. */

export interface EventParser {
  /** The `data` of every event that this piece completes. */
  readonly push: (text: string) => readonly string[];
}

export function eventParser(): EventParser {
  let rest = '';
  let data: string[] = [];
  return {
    push(text) {
      const complete: string[] = [];
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const ended of lines) {
        const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
        if (line === '') {
          if (data.length > 0) complete.push(data.join('\n'));
          data = [];
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
        }
      }
      return complete;
    },
  };
}
