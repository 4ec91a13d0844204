/* LevelDB: one thread puts a key while main gets it; in a fresh directory per execution. */
#include <cassert>
#include <leveldb/db.h>
#include <string>
#include <thread>

int main()
{
    leveldb::Options options;
    leveldb::DB *db = nullptr;
    options.create_if_missing = true;
    assert(leveldb::DB::Open(options, "db", &db).ok());
    std::thread writer([&] { assert(db->Put({}, "key", "value").ok()); });
    std::string value;
    leveldb::Status status = db->Get({}, "key", &value);
    assert(status.IsNotFound() || value == "value");
    writer.join();
    assert(db->Get({}, "key", &value).ok() && value == "value");
    delete db;
}
