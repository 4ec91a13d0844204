/* See live.h. */
#include "promela/verifier/live.h"

#include "host/buffer.h"
#include "host/text_layout.h"
#include "host/terminal.h"

#define FIRST_SECONDS   0.5 /* short searches need no live line */
#define REFRESH_SECONDS 0.2

static void update_rate(struct live_line *line, unsigned long long states, double seconds)
{
    double passed = seconds - line->last;
    if (passed <= 0 || states < line->last_states) { /* the next pass, or the next bound */
        line->rate = 0;
    } else {
        double now = (double)(states - line->last_states) / passed;
        line->rate = line->rate > 0 ? 0.8 * line->rate + 0.2 * now : now;
    }
    line->last = seconds;
    line->last_states = states;
}

void live_show(struct live_line *line, unsigned long long states, size_t bytes, double seconds)
{
    if (!line || !line->out || seconds < FIRST_SECONDS ||
        (seconds < line->next && seconds >= line->last))
        return;
    struct buffer text = {0};
    line->next = seconds + REFRESH_SECONDS;
    update_rate(line, states, seconds);
    if (line->what)
        buffer_printf(&text, "%.40s  ", line->what);
    buffer_count(&text, states);
    buffer_printf(&text, " states  %.0f k/s  %.0f", line->rate / 1e3, (double)bytes / 1e6);
    if (line->most_bytes > 0)
        buffer_printf(&text, " of %.0f", (double)line->most_bytes / 1e6);
    buffer_printf(&text, " MB  %.1f", seconds);
    if (line->most_seconds > 0)
        buffer_printf(&text, " of %.3g", line->most_seconds);
    buffer_printf(&text, " s");
    struct buffer shown = {0};
    add_clean(&shown, text.data);
    cut_text(&shown, terminal_columns(line->out) - 1); /* the cursor takes one */
    fprintf(line->out, "\r\033[K%s", shown.data);
    buffer_release(&shown);
    fflush(line->out);
    line->open = true;
    buffer_release(&text);
}

void live_wipe(struct live_line *line)
{
    if (line->open)
        fputs("\r\033[K", line->out);
    line->open = false;
}
