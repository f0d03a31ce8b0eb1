/** [pure] Where the server keeps what belongs to one Session. */

export const sessionPath = (id: string, what: string): string =>
  `/api/sessions/${encodeURIComponent(id)}/${what}`;
