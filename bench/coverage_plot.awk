# Draws a CSV (program,strategy,x,y) as SVG: a panel per program, a line per strategy (the last one dashed,
# since the reductions may coincide). What a strategy called "paper" has is what a paper prints: points; squares for
# "paper (reduced)".
# Variables, for -v: what (is on the y axis), across (on the x axis), scale (log or linear, of the x axis), dots (a dot at each
# point, so that a single one is seen), least (where a logarithmic x axis begins).
# Reads the file once, draws at the end.
BEGIN {
    FS = ","
    if (!what) what = "distinct classes"
    if (!across) across = "executions"
    if (!least) least = 1
    width = 360; height = 210; left = 52; top = 34; gap_x = 70; gap_y = 74
    split("#d62728 #1f77b4 #2ca02c #9467bd #ff7f0e #444444", colour, " ")
}
NR > 1 {
    if (!($1 in panel)) { panel[$1] = ++panels; name[panels] = $1 }
    if (!($2 in line)) { line[$2] = ++lines; label[lines] = $2 }
    p = panel[$1]; l = line[$2]; i = ++count[p, l]
    x[p, l, i] = $3; y[p, l, i] = $4
    if ($3 > most_x) most_x = $3
    if ($4 > most_y[p]) most_y[p] = $4
}
function log10(value) { return log(value) / log(10) }
function place(value) { return scale == "linear" ? value / most_x : log10(value / least) / log10(most_x / least) }
function text(at_x, at_y, anchor, words) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", at_x, at_y, anchor, words
}
function axes(p, x0, y0,   decade, at) {
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n", x0, y0, width, height
    text(x0 + width / 2, y0 - 8, "middle", what ": " name[p])
    text(x0 - 4, y0 + height, "end", "0")
    text(x0 - 4, y0 + 10, "end", most_y[p])
    for (decade = scale == "linear" ? 0 : log10(least); decade <= (scale == "linear" ? most_x : log10(most_x)); decade++) {
        at = x0 + width * place(scale == "linear" ? decade : 10 ^ decade)
        printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>\n", at, at, y0, y0 + height
        text(at, y0 + height + 14, "middle", scale == "linear" ? decade : 10 ^ decade)
    }
    text(x0 + width / 2, y0 + height + 30, "middle", across)
}
function mark(p, l, x0, y0,   i) {
    for (i = 1; i <= count[p, l]; i++)
        if (label[l] == "paper (reduced)")
            printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"none\" stroke=\"black\"/>\n", \
                x0 + width * place(x[p, l, i]) - 3.5, y0 + height * (1 - y[p, l, i] / most_y[p]) - 3.5
        else
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"none\" stroke=\"black\" stroke-width=\"1.5\"/>\n", \
                x0 + width * place(x[p, l, i]), y0 + height * (1 - y[p, l, i] / most_y[p])
}
function curve(p, l, x0, y0,   i) {
    if (label[l] ~ /^paper/) return mark(p, l, x0, y0)
    printf "<polyline fill=\"none\" stroke-width=\"1.8\" stroke=\"%s\" %s points=\"", colour[l], \
        l == lines ? "stroke-dasharray=\"4 3\"" : ""
    for (i = 1; i <= count[p, l]; i++)
        printf "%.1f,%.1f ", x0 + width * place(x[p, l, i]), y0 + height * (1 - y[p, l, i] / most_y[p])
    printf "\"/>\n"
    for (i = 1; dots && i <= count[p, l]; i++)
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", \
            x0 + width * place(x[p, l, i]), y0 + height * (1 - y[p, l, i] / most_y[p]), colour[l]
}
END {
    rows = int((panels + 1) / 2)
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n", \
        2 * (width + gap_x), rows * (height + gap_y) + 30
    printf "<title>%s against %s</title>\n", what, across
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    for (p = 1; p <= panels; p++) {
        x0 = left + (p - 1) % 2 * (width + gap_x); y0 = top + int((p - 1) / 2) * (height + gap_y)
        axes(p, x0, y0)
        for (l = 1; l <= lines; l++)
            curve(p, l, x0, y0)
    }
    for (l = 1; l <= lines; l++) {
        if (label[l] !~ /^paper/)
            printf "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>\n", left + (l - 1) * 140, rows * (height + gap_y) + 12, colour[l]
        text(left + (l - 1) * 140 + 20, rows * (height + gap_y) + 18, "start", label[l] == "depth" ? "dfs, depth-bounded" : label[l] == "paper" ? "○ printed in the paper" : label[l] == "paper (reduced)" ? "□ the same, reduced" : label[l])
    }
    print "</svg>"
}
